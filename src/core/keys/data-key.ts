import { createSecretKey, type KeyObject } from 'node:crypto';

import { MasterKey, seal, unseal } from '../crypto/index.js';
import type { WorkspaceKeyRow } from './workspace-keys.repository.js';

const PURPOSE = 'workspace-key';

/** Encrypts what belongs to one workspace. */
export class DataKey {
  private readonly key: KeyObject;

  constructor(key: Buffer) {
    this.key = createSecretKey(key);
  }

  /** `context` names the place of the text; it has to be the same to open it. */
  seal(text: string, context: readonly string[]): Buffer {
    return seal(this.key, Buffer.from(text), JSON.stringify(context));
  }

  /** Throws where it was sealed elsewhere, for another place, or was changed. */
  open(sealed: Buffer, context: readonly string[]): string {
    return unseal(this.key, sealed, JSON.stringify(context)).toString();
  }
}

export function wrapDataKey(masterKey: MasterKey, workspaceId: string, dataKey: Buffer): WorkspaceKeyRow {
  const sealedKey = masterKey.encrypt(PURPOSE, dataKey, workspaceId);
  return { workspaceId, masterKeyId: masterKey.id, sealedKey };
}

/** Throws where it was wrapped by another master key. */
export function unwrapDataKey(masterKey: MasterKey, { workspaceId, sealedKey }: WorkspaceKeyRow): Buffer {
  return masterKey.decrypt(PURPOSE, sealedKey, workspaceId);
}

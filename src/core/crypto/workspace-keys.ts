import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { Unavailable } from '../errors/problems.js';
import { MASTER_KEY_BYTES, MasterKey } from './master-key.js';
import { seal, unseal } from './sealed-box.js';
import { type WorkspaceKeyRow, WorkspaceKeysRepository } from './workspace-keys.repository.js';

const PURPOSE = 'workspace-key';

/** Processes that share a database but not the master key. */
export class WrongMasterKey extends Unavailable {
  constructor() {
    super(
      'This process has another master key than the one that the secrets are encrypted with. The operator has to give every process the same GATEHOUSE_MASTER_KEY.',
      60,
    );
  }
}

/** Encrypts what belongs to one workspace. */
export class DataKey {
  constructor(private readonly key: Buffer) {}

  /** `context` names the place of the text; it has to be the same to open it. */
  seal(text: string, context: readonly string[]): Buffer {
    return seal(this.key, Buffer.from(text), JSON.stringify(context));
  }

  /** Throws where it was sealed elsewhere, for another place, or was changed. */
  open(sealed: Buffer, context: readonly string[]): string {
    return unseal(this.key, sealed, JSON.stringify(context)).toString();
  }
}

/**
 * The data key of each workspace, made when it is first needed and kept sealed by the master key: so the master key can
 * be changed without touching what the data keys protect.
 */
@Injectable()
export class WorkspaceKeys {
  constructor(
    private readonly keys: WorkspaceKeysRepository,
    private readonly masterKey: MasterKey,
  ) {}

  /** @throws WrongMasterKey */
  async of(workspaceId: string): Promise<DataKey> {
    const known = await this.keys.find(workspaceId);
    if (known) return this.unwrap(known);
    await this.keys.add(wrapDataKey(this.masterKey, workspaceId, randomBytes(MASTER_KEY_BYTES)));
    const row = await this.keys.find(workspaceId);
    if (!row) throw new WrongMasterKey();
    return this.unwrap(row);
  }

  /** @throws WrongMasterKey */
  unwrap(row: WorkspaceKeyRow): DataKey {
    if (row.masterKeyId !== this.masterKey.id) throw new WrongMasterKey();
    return new DataKey(unwrapDataKey(this.masterKey, row));
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

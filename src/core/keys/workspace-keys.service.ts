import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { MASTER_KEY_BYTES, MasterKey } from '../crypto/index.js';
import { Unavailable } from '../errors/index.js';
import { DataKey, unwrapDataKey, wrapDataKey } from './data-key.js';
import { type WorkspaceKeyRow, WorkspaceKeysRepository } from './workspace-keys.repository.js';

/** Processes that share a database but not the master key. */
export class WrongMasterKey extends Unavailable {
  constructor() {
    super(
      'This process has another master key than the one that the secrets are encrypted with. The operator has to give every process the same GATEHOUSE_MASTER_KEY.',
      60,
    );
  }
}

/**
 * The data key of each workspace, made when it is first needed and stored sealed by the master key: so the master key
 * can be changed without touching what the data keys protect.
 */
@Injectable()
export class WorkspaceKeysService {
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

import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';

import type { MasterKey } from '../crypto/index.js';
import { Database } from '../database/index.js';
import { InstancesRepository } from '../work/index.js';
import { unwrapDataKey, wrapDataKey } from './data-key.js';
import { RotationRefused } from './rotation-refused.js';
import { type MasterKeyUse, SealedByMasterKey } from './sealed-by-master-key.js';
import { type WorkspaceKeyRow, WorkspaceKeysRepository } from './workspace-keys.repository.js';

const BATCH = 500;
/** A process that was seen within it may still run. */
const ALIVE_SECONDS = 40;

/** Seals with another master key what the present one has sealed. Secrets are sealed by workspace keys and stay as they are. */
@Injectable()
export class MasterKeyRotationService {
  constructor(
    private readonly keys: WorkspaceKeysRepository,
    private readonly instances: InstancesRepository,
    private readonly discovery: DiscoveryService,
    private readonly database: Database,
  ) {}

  /**
   * All of it or nothing. Keys that the next master key has sealed already stay as they are. So a rotation can be
   * repeated when nobody saw whether it was committed.
   *
   * @returns how many workspace keys are sealed by the next master key now
   * @throws RotationRefused
   */
  rotate(present: MasterKey, next: MasterKey): Promise<number> {
    return this.database.transaction(async () => {
      // From here on no process gets a key, so none that starts meanwhile goes on with the old one.
      await this.keys.lock();
      await this.refuseWhileRunning();
      const count = await this.rewrapWorkspaceKeys(present, next);
      for (const use of this.usesOfMasterKey()) await use.reseal(present, next);
      return count;
    });
  }

  private async rewrapWorkspaceKeys(present: MasterKey, next: MasterKey): Promise<number> {
    let count = 0;
    let after = '';
    for (;;) {
      const rows = await this.keys.page(after, BATCH);
      const last = rows.at(-1);
      if (!last) return count;
      await this.keys.replace(rows.map((row) => rewrapped(row, present, next)));
      count += rows.length;
      after = last.workspaceId;
    }
  }

  private usesOfMasterKey(): MasterKeyUse[] {
    return this.discovery
      .getProviders({ metadataKey: SealedByMasterKey.KEY })
      .map(({ instance }) => instance as MasterKeyUse);
  }

  private async refuseWhileRunning(): Promise<void> {
    const roles = await this.instances.rolesSeen(ALIVE_SECONDS);
    if (roles.length === 0) return;
    throw new RotationRefused(
      `Gatehouse still runs on this database (${roles.join(', ')}). Stop all of its processes first; one that was killed counts for ${ALIVE_SECONDS} seconds more.`,
    );
  }
}

function rewrapped(row: WorkspaceKeyRow, present: MasterKey, next: MasterKey): WorkspaceKeyRow {
  const from = row.masterKeyId === next.id ? next : present;
  let dataKey: Buffer;
  try {
    dataKey = unwrapDataKey(from, row);
  } catch {
    throw new RotationRefused(
      `The key of the workspace ${row.workspaceId} cannot be opened with the present master key, so nothing was changed.`,
    );
  }
  return wrapDataKey(next, row.workspaceId, dataKey);
}

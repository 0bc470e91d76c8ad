import { Injectable } from '@nestjs/common';

import { Database } from '../database/database.js';
import { MAIL_PURPOSE } from '../mail/sealed-mail.js';
import { MasterKeyRotationRepository, type SealedRow } from './master-key-rotation.repository.js';
import type { MasterKey } from './master-key.js';
import { unwrapDataKey, wrapDataKey } from './workspace-keys.js';
import { type WorkspaceKeyRow, WorkspaceKeysRepository } from './workspace-keys.repository.js';

const BATCH = 500;

/** Nothing was changed, for this reason. */
export class RotationRefused extends Error {}

/** Seals with another master key what the present one has sealed. Secrets themselves are sealed by workspace keys and stay. */
@Injectable()
export class MasterKeyRotation {
  constructor(
    private readonly keys: WorkspaceKeysRepository,
    private readonly rotation: MasterKeyRotationRepository,
    private readonly database: Database,
  ) {}

  /**
   * All of it or nothing. Keys that are sealed by the next master key already are left as they are, so a rotation whose
   * end nobody saw can be repeated.
   *
   * @returns how many workspaces have their key sealed by the next master key now
   * @throws RotationRefused
   */
  rotate(present: MasterKey, next: MasterKey): Promise<number> {
    return this.database.transaction(async () => {
      // From here on no process gets a key, so none that starts meanwhile goes on with the old one.
      await this.keys.lock();
      await this.refuseWhileRunning();
      let count = 0;
      let after = '';
      for (;;) {
        const rows = await this.keys.page(after, BATCH);
        const last = rows.at(-1);
        if (!last) break;
        await this.keys.replace(rows.map((row) => rewrapped(row, present, next)));
        count += rows.length;
        after = last.workspaceId;
      }
      await this.rotation.dropKeptAnswers();
      await this.resealMails(present, next);
      return count;
    });
  }

  private async resealMails(present: MasterKey, next: MasterKey): Promise<void> {
    const mails = await this.rotation.waitingMails();
    await this.rotation.replaceMails(mails.flatMap((mail) => resealed(mail, present, next)));
  }

  private async refuseWhileRunning(): Promise<void> {
    const roles = await this.rotation.liveRoles();
    if (roles.length === 0) return;
    throw new RotationRefused(
      `Gatehouse still runs on this database (${roles.join(', ')}). Stop all of its processes first; one that was killed counts for 40 seconds more.`,
    );
  }
}

/** One that the present key does not open is left: it is the next key's already, or will be given up. */
function resealed({ id, sealed }: SealedRow, present: MasterKey, next: MasterKey): SealedRow[] {
  try {
    return [{ id, sealed: next.encrypt(MAIL_PURPOSE, present.decrypt(MAIL_PURPOSE, sealed, id), id) }];
  } catch {
    return [];
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

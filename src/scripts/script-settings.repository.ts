import { Injectable } from '@nestjs/common';

import { Database } from '../core/database/database.js';
import type { ScriptSettingsDto } from './script-settings.dto.js';

@Injectable()
export class ScriptSettingsRepository {
  constructor(private readonly database: Database) {}

  find(workspaceId: string): Promise<ScriptSettingsDto | null> {
    return this.database.one<ScriptSettingsDto>(
      `SELECT publish_needs_second_person AS "publishNeedsSecondPerson" FROM workspaces WHERE id = $1`,
      [workspaceId],
    );
  }

  /** Waits for publishing that is under way, so that none goes by the old setting afterwards. */
  lock(workspaceId: string): Promise<ScriptSettingsDto | null> {
    return this.database.one<ScriptSettingsDto>(
      `SELECT publish_needs_second_person AS "publishNeedsSecondPerson" FROM workspaces WHERE id = $1
       FOR NO KEY UPDATE`,
      [workspaceId],
    );
  }

  /** Stays as it is until the transaction ends. */
  hold(workspaceId: string): Promise<ScriptSettingsDto | null> {
    return this.database.one<ScriptSettingsDto>(
      `SELECT publish_needs_second_person AS "publishNeedsSecondPerson" FROM workspaces WHERE id = $1 FOR SHARE`,
      [workspaceId],
    );
  }

  async save(workspaceId: string, settings: ScriptSettingsDto): Promise<void> {
    await this.database.execute(`UPDATE workspaces SET publish_needs_second_person = $2 WHERE id = $1`, [
      workspaceId,
      settings.publishNeedsSecondPerson,
    ]);
  }
}

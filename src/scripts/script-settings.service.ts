import { Injectable } from '@nestjs/common';

import { AuditTrail } from '../audit/index.js';
import { assertMayLoosen, type WorkspaceCaller } from '../core/access/index.js';
import { Database } from '../core/database/index.js';
import { NotFound } from '../core/errors/index.js';
import { PublishingSettingRepository } from '../workspaces/index.js';
import type { ScriptSettingsDto, ScriptSettingsPatch } from './script-settings.dto.js';

@Injectable()
export class ScriptSettingsService {
  constructor(
    private readonly setting: PublishingSettingRepository,
    private readonly database: Database,
    private readonly audit: AuditTrail,
  ) {}

  async read(caller: WorkspaceCaller): Promise<ScriptSettingsDto> {
    const publishNeedsSecondPerson = found(await this.setting.needsSecondPerson(caller.workspace.id));
    return { publishNeedsSecondPerson };
  }

  /** Stays as it is until the surrounding transaction ends. */
  async publishNeedsSecondPerson(workspaceId: string): Promise<boolean> {
    return found(await this.setting.hold(workspaceId));
  }

  change(caller: WorkspaceCaller, patch: ScriptSettingsPatch): Promise<ScriptSettingsDto> {
    return this.database.transaction(async () => {
      const workspaceId = caller.workspace.id;
      const before = found(await this.setting.lock(workspaceId));
      const after = { publishNeedsSecondPerson: patch.publishNeedsSecondPerson ?? before };
      if (after.publishNeedsSecondPerson === before) return after;
      if (!after.publishNeedsSecondPerson) assertMayLoosen(caller, ['script_settings.second_person']);
      await this.setting.change(workspaceId, after.publishNeedsSecondPerson);
      const target = { type: 'workspace', id: workspaceId };
      await this.audit.record(workspaceId, caller, 'script_settings.updated', target, after);
      return after;
    });
  }
}

/** The workspace was there a moment ago, when the caller was let in. */
function found(setting: boolean | null): boolean {
  if (setting === null) throw new NotFound('workspace');
  return setting;
}

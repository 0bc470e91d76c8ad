import { Injectable } from '@nestjs/common';

import { AuditTrail } from '../audit/audit-trail.js';
import type { WorkspaceCaller } from '../core/access/caller.js';
import { Database } from '../core/database/database.js';
import { NotFound } from '../core/errors/problems.js';
import { assertMayLoosen } from './script-access.js';
import type { ScriptSettingsDto, ScriptSettingsPatch } from './script-settings.dto.js';
import { ScriptSettingsRepository } from './script-settings.repository.js';

@Injectable()
export class ScriptSettingsService {
  constructor(
    private readonly settings: ScriptSettingsRepository,
    private readonly database: Database,
    private readonly audit: AuditTrail,
  ) {}

  async read(caller: WorkspaceCaller): Promise<ScriptSettingsDto> {
    return found(await this.settings.find(caller.workspace.id));
  }

  /** Held as it is until the surrounding transaction ends. */
  async publishNeedsSecondPerson(workspaceId: string): Promise<boolean> {
    return found(await this.settings.hold(workspaceId)).publishNeedsSecondPerson;
  }

  change(caller: WorkspaceCaller, patch: ScriptSettingsPatch): Promise<ScriptSettingsDto> {
    return this.database.transaction(async () => {
      const workspaceId = caller.workspace.id;
      const before = found(await this.settings.lock(workspaceId));
      const { publishNeedsSecondPerson = before.publishNeedsSecondPerson } = patch;
      const after = { publishNeedsSecondPerson };
      if (publishNeedsSecondPerson === before.publishNeedsSecondPerson) return after;
      if (!publishNeedsSecondPerson) assertMayLoosen(caller, ['lets one person alone publish']);
      await this.settings.save(workspaceId, after);
      const target = { type: 'workspace', id: workspaceId };
      await this.audit.record(workspaceId, caller, 'script_settings.updated', target, after);
      return after;
    });
  }
}

/** The workspace was there a moment ago, when the caller was let in. */
function found(settings: ScriptSettingsDto | null): ScriptSettingsDto {
  if (!settings) throw new NotFound('workspace');
  return settings;
}

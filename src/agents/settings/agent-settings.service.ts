import { Injectable } from '@nestjs/common';

import { AuditTrail } from '../../audit/index.js';
import { assertMayLoosen, type WorkspaceCaller } from '../../core/access/index.js';
import { Database } from '../../core/database/index.js';
import { AgentBudgetsService, type AgentUsageDto, isLaxerBudget } from '../../usage/index.js';
import { MemberBudgetRepository } from '../../workspaces/index.js';
import type { AgentSettingsDto, AgentSettingsPatch } from './agent-settings.dto.js';

/** What a workspace says of its members' agents. */
@Injectable()
export class AgentSettingsService {
  constructor(
    private readonly setting: MemberBudgetRepository,
    private readonly budgets: AgentBudgetsService,
    private readonly database: Database,
    private readonly audit: AuditTrail,
  ) {}

  async read(caller: WorkspaceCaller): Promise<AgentSettingsDto> {
    return { memberBudget: await this.setting.read(caller.workspace.id) };
  }

  change(caller: WorkspaceCaller, patch: AgentSettingsPatch): Promise<AgentSettingsDto> {
    const memberBudget =
      patch.memberBudget === undefined ? undefined : this.budgets.parse(patch.memberBudget, 'memberBudget');
    const workspaceId = caller.workspace.id;
    return this.database.transaction(async () => {
      const before = await this.setting.lock(workspaceId);
      if (memberBudget === undefined) return { memberBudget: before };
      if (isLaxerBudget(memberBudget, before)) assertMayLoosen(caller, ['agent_settings.member_budget']);
      await this.setting.change(workspaceId, memberBudget);
      const target = { type: 'workspace', id: workspaceId };
      await this.audit.record(workspaceId, caller, 'agent_settings.updated', target, { memberBudget });
      return { memberBudget };
    });
  }

  /** What the caller's agents have used: a person's all together, a key's its own. */
  usage({ workspace, person, credentialId }: WorkspaceCaller): Promise<AgentUsageDto> {
    return this.budgets.usage(workspace.id, person?.id ?? credentialId);
  }
}

import { Injectable } from '@nestjs/common';

import { Settings } from '../../core/config/index.js';
import { Database } from '../../core/database/index.js';
import { MailService } from '../../core/mail/index.js';
import { Loop } from '../../core/work/index.js';
import { AgentCountersRepository, type WorkspaceMember } from './agent-counters.repository.js';
import type { NearBudgetRow } from './agent-counters.sql.js';
import { BUDGET_NEAR, budgetNotices } from './budget-words.js';

const EVERY_MS = 20_000;
const BATCH = 100;

/** Writes once in a period that a budget is near its end: of an agent to the owners, otherwise to the person whose it is. */
@Injectable()
export class AgentBudgetMailer {
  constructor(
    private readonly counters: AgentCountersRepository,
    private readonly mails: MailService,
    private readonly database: Database,
    private readonly settings: Settings,
  ) {}

  @Loop({ every: EVERY_MS })
  async warn(): Promise<boolean> {
    if (!this.mails.enabled) return false;
    return (await this.database.transaction(() => this.warnSome())) === BATCH;
  }

  private async warnSome(): Promise<number> {
    const near = await this.counters.claimNear(BUDGET_NEAR, BATCH);
    if (near.length === 0) return 0;
    const members = await this.counters.members([...new Set(near.map(({ workspaceId }) => workspaceId))]);
    const mails = near.flatMap((row) =>
      members.filter((member) => concerns(row, member)).map((member) => this.mailOf(row, member)),
    );
    await this.mails.queue(...mails);
    return near.length;
  }

  private mailOf(row: NearBudgetRow, { name, email }: WorkspaceMember) {
    const currency = this.settings.models.price?.currency ?? null;
    const notices = budgetNotices([{ ...row, currency }]);
    return {
      to: email,
      subject: `${row.workspaceName}: a budget for agents is near its end`,
      text: [`Hello ${name},`, '', `in the workspace ${row.workspaceName}:`, '', ...notices, ''].join('\n'),
    };
  }
}

function concerns({ workspaceId, userId }: NearBudgetRow, member: WorkspaceMember): boolean {
  if (member.workspaceId !== workspaceId) return false;
  return userId === null ? member.role === 'owner' : member.userId === userId;
}

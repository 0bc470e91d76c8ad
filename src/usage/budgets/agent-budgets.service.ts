import { Injectable } from '@nestjs/common';

import type { WorkspaceCaller } from '../../core/access/index.js';
import { Settings } from '../../core/config/index.js';
import { Database } from '../../core/database/index.js';
import { QuotaExceeded } from '../../core/errors/index.js';
import { type AgentBudget, MILLIONTHS } from './agent-budget.js';
import type { AgentUsageDto, AgentUseDto } from './agent-budget.dto.js';
import { type AgentUse, AgentCountersRepository } from './agent-counters.repository.js';
import type { AgentUseRow } from './agent-counters.sql.js';
import { budgetNotices, budgetRefusal } from './budget-words.js';
import { parseBudget } from './parse-budget.js';

/** What no message of a model can have taken. An endpoint may report whatever it likes. */
const MOST_TOKENS = 10_000_000;

/** Counts what agents use, for the agent or app, and for the person behind it, and holds them to their budgets. */
@Injectable()
export class AgentBudgetsService {
  constructor(
    private readonly counters: AgentCountersRepository,
    private readonly database: Database,
    private readonly settings: Settings,
  ) {}

  /** @throws InvalidRequest naming each place */
  parse(sent: unknown, path: string): AgentBudget | null {
    return parseBudget(sent, path, this.settings.models.price !== null);
  }

  /**
   * Counts runs or a message, in the surrounding transaction where there is one, near its end: the counters stay locked.
   *
   * @throws QuotaExceeded where a budget does not allow it; then nothing is counted
   */
  async use(by: WorkspaceCaller, use: Pick<AgentUse, 'runs' | 'messages'>): Promise<void> {
    await this.database.transaction(async () => {
      const rows = this.priced(await this.counters.count(by.workspace.id, subjectsOf(by), use));
      // A message is the beginning of what costs tokens.
      const before = use.messages ? (['tokens', 'cost'] as const) : [];
      const added = use.messages ? (['messages'] as const) : (['runs'] as const);
      const refusal = budgetRefusal(rows, added, before);
      if (refusal !== null) throw new QuotaExceeded(refusal);
    });
  }

  /** Counts what a model has read and written. Returns which budget is used up by now, in words, or null. */
  async addTokens(by: WorkspaceCaller, input: number, output: number): Promise<string | null> {
    const { price } = this.settings.models;
    const cost = price ? Math.ceil(input * price.input + output * price.output) : 0;
    const use = { tokens: input + output, cost };
    const rows = this.priced(await this.counters.count(by.workspace.id, subjectsOf(by), use));
    return budgetRefusal(rows, [], ['tokens', 'cost']);
  }

  /** Counts a call of a tool that only reads. */
  async addRead(by: WorkspaceCaller): Promise<void> {
    await this.counters.count(by.workspace.id, subjectsOf(by), { reads: 1 });
  }

  /** What an agent, an app's grant or a person's agents have used in the periods that go on. */
  async usage(workspaceId: string, subject: string): Promise<AgentUsageDto> {
    return this.report(this.priced(await this.counters.find(workspaceId, [subject])));
  }

  private report(rows: readonly AgentUseRow[]): AgentUsageDto {
    const currency = this.settings.models.price?.currency ?? null;
    const of = (per: AgentUseRow['per']): AgentUseDto => {
      const { periodEnd, runs, messages, tokens, cost, reads } = rows.find((row) => row.per === per)!;
      const money = currency === null ? null : cost / MILLIONTHS;
      return { until: periodEnd.toISOString(), runs, messages, tokens, cost: money, reads };
    };
    const notices = budgetNotices(rows);
    return { day: of('day'), month: of('month'), currency, ...(notices.length > 0 && { notices }) };
  }

  private priced(rows: readonly Omit<AgentUseRow, 'currency'>[]): AgentUseRow[] {
    const currency = this.settings.models.price?.currency ?? null;
    return rows.map((row) => ({ ...row, currency }));
  }
}

/** A number of tokens as an endpoint reports it: never less than none, nor more than there can be. */
export function plausibleTokens(reported: number | undefined): number {
  if (reported === undefined || !(reported > 0)) return 0;
  return Math.min(Math.ceil(reported), MOST_TOKENS);
}

/** Whose budgets something counts for: the agent or app, the app that asks the agent, and the person behind them. */
function subjectsOf({ credentialId, agent, person }: WorkspaceCaller): string[] {
  return [credentialId, agent?.askedBy, person?.id].filter((id) => id !== undefined && id !== null);
}

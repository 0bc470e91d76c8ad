import type { AgentUseRow } from './agent-counters.sql.js';
import { BUDGET_METERS, type BudgetMeter, MILLIONTHS } from './agent-budget.js';

/** From this share of a limit on, people are told of it. */
export const BUDGET_NEAR = 0.8;

const UNITS: Record<Exclude<BudgetMeter, 'cost'>, string> = {
  runs: 'runs',
  messages: 'messages',
  tokens: 'tokens',
};

/** What is used of one limit. */
interface Reading {
  row: AgentUseRow;
  meter: BudgetMeter;
  used: number;
  limit: number;
}

/** Of rows with limits: each limit with what is used of it. */
function readingsOf(rows: readonly AgentUseRow[]): Reading[] {
  return rows.flatMap((row) =>
    BUDGET_METERS.flatMap((meter) => {
      const limit = row.limits?.[meter];
      const used = meter === 'cost' ? row.cost / MILLIONTHS : row[meter];
      return limit === undefined ? [] : [{ row, meter, used, limit }];
    }),
  );
}

/**
 * Which limit does not allow what was counted just now, in words, or null.
 *
 * @param added the meters to which something was added; of the others nothing may be left only where `before` names them
 * @param before meters that must not be used up before
 */
export function budgetRefusal(
  rows: readonly AgentUseRow[],
  added: readonly BudgetMeter[],
  before: readonly BudgetMeter[],
): string | null {
  const full = readingsOf(rows).find(
    ({ meter, used, limit }) =>
      (added.includes(meter) && used > limit) || (before.includes(meter) && used >= limit),
  );
  if (!full) return null;
  const { row, meter, limit, used } = full;
  // What was counted just now is undone, so it is not said to be used.
  const said = added.includes(meter) ? Math.min(used, limit) : used;
  return `${whose(row)} allows ${amount(meter, limit, row)} a ${row.per}, and ${number(said)} are used. It begins anew on ${moment(row)}.`;
}

/** What somebody should know: that a limit is near, or reached. */
export function budgetNotices(rows: readonly AgentUseRow[]): string[] {
  return readingsOf(rows)
    .filter(({ used, limit }) => used >= limit * BUDGET_NEAR)
    .map(({ row, meter, used, limit }) => {
      const anew = `It begins anew on ${moment(row)}.`;
      if (used >= limit)
        return `${whose(row)} of ${amount(meter, limit, row)} a ${row.per} is used up. ${anew}`;
      const percent = Math.floor((used / limit) * 100);
      return `${percent} % of ${lower(whose(row))} are used: ${number(used)} of ${amount(meter, limit, row)} a ${row.per}. ${anew}`;
    });
}

function whose({ kind, name }: AgentUseRow): string {
  if (kind === 'agent') return `The budget of the agent ${name}`;
  if (kind === 'app') return `The budget of the app ${name}`;
  return "The budget of each member's agents";
}

function amount(meter: BudgetMeter, limit: number, { currency }: AgentUseRow): string {
  return `${number(limit)} ${meter === 'cost' ? currency : UNITS[meter]}`;
}

const number = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 6 });
const lower = (text: string): string => text[0]!.toLowerCase() + text.slice(1);
const moment = ({ periodEnd }: AgentUseRow): string => `${periodEnd.toISOString().slice(0, 10)} at 00:00 UTC`;

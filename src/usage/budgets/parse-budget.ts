import { type ErrorDetail, InvalidRequest } from '../../core/errors/index.js';
import {
  type AgentBudget,
  BUDGET_METERS,
  BUDGET_PERIODS,
  type BudgetLimits,
  type BudgetMeter,
} from './agent-budget.js';

const MOST: Record<BudgetMeter, number> = { runs: 1e12, messages: 1e12, tokens: 1e12, cost: 1e9 };

/**
 * A budget as it was sent; null where it limits nothing.
 *
 * @param hasPrice whether cost is known
 * @throws InvalidRequest naming each place
 */
export function parseBudget(sent: unknown, path: string, hasPrice: boolean): AgentBudget | null {
  if (sent === null) return null;
  const details: ErrorDetail[] = [];
  const wrong = (place: string, message: string): void => void details.push({ path: place, message });
  const budget: AgentBudget = {};
  const given = fieldsOf(sent, BUDGET_PERIODS, path, wrong);
  for (const per of BUDGET_PERIODS) {
    if (given[per] === undefined) continue;
    const limits: BudgetLimits = {};
    const place = `${path}.${per}`;
    const values = fieldsOf(given[per], BUDGET_METERS, place, wrong);
    for (const meter of BUDGET_METERS) {
      const value = values[meter];
      if (value === undefined) continue;
      const problem = problemOf(meter, value, hasPrice);
      if (problem !== null) wrong(`${place}.${meter}`, problem);
      else limits[meter] = value as number;
    }
    if (Object.keys(limits).length > 0) budget[per] = limits;
  }
  if (details.length > 0) throw InvalidRequest.listing(details);
  return Object.keys(budget).length > 0 ? budget : null;
}

function fieldsOf(
  value: unknown,
  known: readonly string[],
  path: string,
  wrong: (path: string, message: string) => void,
): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    wrong(path, `must be an object with ${known.join(', ')}`);
    return {};
  }
  for (const name of Object.keys(value)) {
    if (!known.includes(name)) wrong(`${path}.${name}`, 'is not a field of this request');
  }
  return Object.fromEntries(Object.entries(value).filter(([name]) => known.includes(name)));
}

function problemOf(meter: BudgetMeter, value: unknown, hasPrice: boolean): string | null {
  const isCost = meter === 'cost';
  const fits = typeof value === 'number' && value >= 0 && value <= MOST[meter];
  if (!fits || !(isCost || Number.isInteger(value))) {
    return `must be a ${isCost ? '' : 'whole '}number from 0 to ${MOST[meter].toLocaleString('en-US')}`;
  }
  return isCost && !hasPrice ? 'cannot be limited: the operator has not set GATEHOUSE_MODEL_PRICE' : null;
}

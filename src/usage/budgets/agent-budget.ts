export const BUDGET_PERIODS = ['day', 'month'] as const;
export type BudgetPeriod = (typeof BUDGET_PERIODS)[number];

export const BUDGET_METERS = ['runs', 'messages', 'tokens', 'cost'] as const;
export type BudgetMeter = (typeof BUDGET_METERS)[number];

/** What may be used in a period at most; what is left out is not limited. `cost`: in the currency of the price. */
export type BudgetLimits = Partial<Record<BudgetMeter, number>>;

/** What may be used by an agent, through an app, or by a person's agents. */
export type AgentBudget = Partial<Record<BudgetPeriod, BudgetLimits>>;

/** Cost is counted in millionths, so that nothing is lost by rounding. */
export const MILLIONTHS = 1_000_000;

/** Whether a budget allows more than another one did. */
export function isLaxerBudget(budget: AgentBudget | null, than: AgentBudget | null): boolean {
  return BUDGET_PERIODS.some((per) =>
    BUDGET_METERS.some((meter) => limitOf(budget, per, meter) > limitOf(than, per, meter)),
  );
}

function limitOf(budget: AgentBudget | null, per: BudgetPeriod, meter: BudgetMeter): number {
  return budget?.[per]?.[meter] ?? Infinity;
}

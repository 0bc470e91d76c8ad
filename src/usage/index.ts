export { type AgentBudget, isLaxerBudget } from './budgets/agent-budget.js';
export { AgentBudgetDto, AgentUsageDto, BudgetField, WithBudgets } from './budgets/agent-budget.dto.js';
export { AgentBudgetsService, plausibleTokens } from './budgets/agent-budgets.service.js';
export { PlanLimits } from './plan-limits.js';
export { excessOf, fieldsBeyond } from './run-limits.js';
export { UsageModule } from './usage.module.js';
export { UsageService } from './usage.service.js';
export { admitRun, type RunLimits, countRunSeconds } from './usage.sql.js';

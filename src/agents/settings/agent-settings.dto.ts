import { AgentBudgetDto, BudgetField } from '../../usage/index.js';

export class AgentSettingsDto {
  /** What each member's agents may use together, those of apps and of the workspace; null: whatever else allows. */
  memberBudget: AgentBudgetDto | null;
}

export class AgentSettingsPatch {
  @BudgetField("What each member's agents may use together; null: whatever else allows.")
  memberBudget?: unknown;
}

export { changeDetails, fieldsThatDiffer, isAgentsAfter } from './automation.changes.js';
export type { Automation, AutomationKind } from './automation.kind.js';
export {
  assertAgentsAllowed,
  assertAgentsMayChange,
  assertMayMove,
  assertMayName,
} from './automation.rules.js';
export { AutomationDisablingService, type RefusedAutomation } from './automation-disabling.service.js';
export { AutomationNeedsService } from './automation-needs.service.js';
export { AutomationsModule } from './automations.module.js';
export {
  type AutomationViewer,
  AutomationsRepository,
  type FoundAutomation,
  type ListedAutomation,
} from './automations.repository.js';

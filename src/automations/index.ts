export { type Automation, AutomationEntity, type AutomationRelations } from './automation-entity.js';
export type { AutomationKind } from './automation.kind.js';
export { AutomationDisablingService, type RefusedAutomation } from './automation-disabling.service.js';
export { AutomationNeedsService } from './automation-needs.service.js';
export { AutomationsModule } from './automations.module.js';
export {
  type AutomationViewer,
  AutomationsRepository,
  type FoundAutomation,
  type ListedAutomation,
} from './automations.repository.js';
export { type AutomationChange, AutomationsService } from './automations.service.js';

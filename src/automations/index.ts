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
export { MatchingAutomationsService } from './matching-automations.service.js';
export { checkMatching } from './matching/check-matching.js';
export { type Filter, mismatch } from './matching/filter.js';
export { unknownPaths } from './matching/known-paths.js';
export { EVENT_PLACEHOLDERS, REQUEST_PLACEHOLDERS } from './matching/placeholders.js';
export { type Rendered, Rendering } from './matching/rendering.js';
export { BACK, FiringQueueRepository, WaitingRepository } from './firing/firing-queue.repository.js';
export { FiringLoops } from './firing/firing-loops.js';
export { WaitingEntity } from './firing/waiting.entity.js';

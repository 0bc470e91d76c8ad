export { PlanLimits } from './plan-limits.js';
export { UsageModule } from './usage.module.js';
export { UsageService } from './usage.service.js';
export { ADMIT_RUN, type RunLimits, countRunSeconds } from './usage.sql.js';

export { ScheduleFiringModule } from './firing/schedule-firing.module.js';
export { zoneName } from './cron/time-zone.js';
export { SchedulesModule } from './schedules.module.js';

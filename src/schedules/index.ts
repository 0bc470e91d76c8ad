export { ScheduleFiringModule } from './firing/schedule-firing.module.js';
export { SchedulesModule } from './schedules.module.js';

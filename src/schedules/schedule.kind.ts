import type { AutomationKind } from '../automations/index.js';
import { Schedule } from './schedule.entity.js';

export const SCHEDULE: AutomationKind = {
  name: 'schedule',
  entity: Schedule,
  table: 'schedules',
  whenDisabled: 'enabled = false, next_run_at = NULL',
  forbidden: 'schedule scripts',
  purpose: 'to schedule it',
  origin: (scheduleId) => ({ interface: 'schedule', scheduleId }),
};

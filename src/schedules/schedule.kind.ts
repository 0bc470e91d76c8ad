import type { AutomationKind } from '../automations/index.js';

export const SCHEDULE: AutomationKind = {
  name: 'schedule',
  forbidden: 'schedule scripts',
  purpose: 'to schedule it',
  origin: (scheduleId) => ({ interface: 'schedule', scheduleId }),
};

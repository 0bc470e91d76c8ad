import type { AutomationKind } from '../automations/index.js';

export const HOOK: AutomationKind = {
  name: 'hook',
  forbidden: 'run scripts',
  purpose: 'to have requests start it',
  origin: (hookId) => ({
    interface: 'hook',
    hookId,
    causedByRunId: null,
    causedByEventId: null,
    hops: 0,
    chainEventId: null,
  }),
};

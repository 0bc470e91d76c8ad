import type { AutomationKind } from '../automations/index.js';

export const TRIGGER: AutomationKind = {
  name: 'trigger',
  forbidden: 'run scripts',
  purpose: 'to have events start it',
  origin: (triggerId) => ({
    interface: 'trigger',
    triggerId,
    causedByRunId: null,
    hops: 1,
    chainEventId: null,
    causedByEventId: null,
  }),
};

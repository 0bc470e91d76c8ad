import type { AutomationKind } from '../automations/index.js';
import { Trigger } from './trigger.entity.js';

export const TRIGGER: AutomationKind = {
  name: 'trigger',
  entity: Trigger,
  table: 'triggers',
  whenDisabled: 'enabled = false',
  forbidden: 'run scripts',
  purpose: 'to have events start it',
  origin: (triggerId) => ({
    interface: 'trigger',
    triggerId,
    causedByRunId: null,
    hops: 1,
    chainEventId: null,
  }),
};

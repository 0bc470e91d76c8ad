import { newId } from '../core/crypto/ids.js';
import type { AutomatedRunOrder } from '../runs/index.js';

/** What starts runs without anybody asking for each of them, as far as it decides whether they may start. */
export interface Automation {
  id: string;
  workspaceId: string;
  environmentId: string;
  scriptId: string;
  createdByUserId: string | null;
  byAgent: boolean;
}

export interface AutomationKind {
  /** As its audit entries and events call it. */
  name: 'schedule' | 'trigger';
  table: 'schedules' | 'triggers';
  /** What is set where one is switched off, as SQL. */
  off: string;
  /** What agents may not do where they are not allowed. */
  deed: string;
  /** What a script is restored for. */
  purpose: string;
  origin: (id: string) => AutomatedRunOrder['origin'];
}

export const SCHEDULE: AutomationKind = {
  name: 'schedule',
  table: 'schedules',
  off: 'enabled = false, next_run_at = NULL',
  deed: 'schedule scripts',
  purpose: 'to schedule it',
  origin: (scheduleId) => ({ interface: 'schedule', scheduleId }),
};

export const TRIGGER: AutomationKind = {
  name: 'trigger',
  table: 'triggers',
  off: 'enabled = false',
  deed: 'run scripts',
  purpose: 'to have events start it',
  origin: (triggerId) => ({
    interface: 'trigger',
    triggerId,
    causedByRunId: null,
    hops: 1,
    chainEventId: null,
  }),
};

export const AUTOMATION_KINDS: readonly AutomationKind[] = [SCHEDULE, TRIGGER];

/** The order to ask whether one would be refused now; that depends neither on its inputs nor on what brought it about. */
export function trialOrder(kind: AutomationKind, automation: Automation): AutomatedRunOrder {
  const { id, workspaceId, environmentId, scriptId, createdByUserId, byAgent } = automation;
  return {
    id: newId('run'),
    workspaceId,
    environmentId,
    scriptId,
    createdByUserId,
    byAgent,
    inputs: {},
    problem: null,
    origin: kind.origin(id),
  };
}

import type { SystemRunOrder } from '../runs/system-runs.js';

/** What starts runs without anybody asking for each of them, as far as it decides whether they may start. */
export interface Automation {
  id: string;
  workspaceId: string;
  environmentId: string;
  scriptId: string;
  createdByUserId: string | null;
  byAgent: boolean;
}

/** Schedules or triggers: what differs between them where both are treated alike. */
export interface AutomationKind {
  /** As its audit entries and events call it. */
  name: 'schedule' | 'trigger';
  entity: new () => Automation;
  table: string;
  /** What is set where one is disabled, in SQL, besides the reason. */
  whenDisabled: string;
  /** What agents may not do where they are not allowed. */
  forbidden: string;
  /** What a script is restored for. */
  purpose: string;
  origin: (id: string) => SystemRunOrder['origin'];
}

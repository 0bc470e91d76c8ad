import type { AutomatedRunOrder } from '../runs/index.js';

/** A schedule or trigger: what of it decides whether its runs may start. */
export interface Automation {
  id: string;
  workspaceId: string;
  environmentId: string;
  scriptId: string;
  createdByUserId: string | null;
  byAgent: boolean;
}

/** What differs between schedules and triggers where both are treated alike. */
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
  origin: (id: string) => AutomatedRunOrder['origin'];
}

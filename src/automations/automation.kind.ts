import type { AutomatedRunOrder } from '../runs/index.js';

/** What differs between schedules and triggers where both are treated alike. */
export interface AutomationKind {
  /** As its audit entries and events call it. */
  name: 'schedule' | 'trigger';
  /** What agents may not do where they are not allowed. */
  forbidden: string;
  /** What a script is restored for. */
  purpose: string;
  origin: (id: string) => AutomatedRunOrder['origin'];
}

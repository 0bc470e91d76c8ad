import type { AutomatedRunOrder } from '../runs/index.js';

/** What differs between schedules, triggers and hooks where all are treated alike. */
export interface AutomationKind {
  /** As its audit entries and events call it. */
  name: 'schedule' | 'trigger' | 'hook';
  /** What agents may not do where they are not allowed. */
  forbidden: string;
  /** What a script is restored for. */
  purpose: string;
  origin: (id: string) => AutomatedRunOrder['origin'];
}

import { isId } from '../core/crypto/index.js';

/** What a run stores besides its schedule, trigger and hook, which have columns of their own. */
export const STORED_CAUSES = ['run', 'rerun', 'event', 'conversation', 'batch'] as const;
export type StoredCause = (typeof STORED_CAUSES)[number];

export const CAUSES = [...STORED_CAUSES, 'schedule', 'trigger', 'hook'] as const;
export type CauseType = (typeof CAUSES)[number];

export interface RunCause {
  type: CauseType;
  id: string;
}

export interface CauseColumns {
  causeType: StoredCause | null;
  causeId: string | null;
}

export const NO_CAUSE: CauseColumns = { causeType: null, causeId: null };

type Caused = CauseColumns & Record<'scheduleId' | 'triggerId' | 'hookId', string | null>;

/** The nearest: the run behind a trigger or hook comes before that. null: a person or key started it, and nothing else. */
export function causeOf({ causeType, causeId, scheduleId, triggerId, hookId }: Caused): RunCause | null {
  if (causeType !== null) return { type: causeType, id: causeId! };
  if (scheduleId !== null) return { type: 'schedule', id: scheduleId };
  if (triggerId !== null) return { type: 'trigger', id: triggerId };
  return hookId === null ? null : { type: 'hook', id: hookId };
}

const COLUMNS = [
  ['schedule', 'scheduleId'],
  ['trigger', 'triggerId'],
  ['hook', 'hookId'],
] as const;

/** Where the runs are found that this caused. */
export function causeColumnOf(id: string): 'causeId' | 'scheduleId' | 'triggerId' | 'hookId' {
  return COLUMNS.find(([kind]) => isId(kind, id))?.[1] ?? 'causeId';
}

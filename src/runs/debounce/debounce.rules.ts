import { InvalidRequest } from '../../core/errors/index.js';
import type { Debounce } from '../../scripts/index.js';
import type { Run } from '../run.entity.js';
import { debounceTextOf } from '../turns/run-turn.rules.js';
import type { RunDebounceDto } from './run-debounce.dto.js';

/** What a run has that waits for further starts, besides its phase. */
export type DebounceColumns = Pick<Run, 'debounceKey' | 'debounceUntil' | 'debounceStarts'>;

export const NOT_DEBOUNCED: DebounceColumns = {
  debounceKey: null,
  debounceUntil: null,
  debounceStarts: null,
};

/**
 * Of what its inputs make a text. Whose starts take each other's place: those of guests, who see no run of anybody else,
 * only their own.
 */
export function debounceScope(
  { scriptId, environmentId }: Pick<Run, 'scriptId' | 'environmentId'>,
  guestId: string | null,
): string {
  return `${scriptId}/${environmentId}/${guestId ?? ''}/`;
}

export function presentDebounce(run: DebounceColumns): RunDebounceDto | null {
  const { debounceKey, debounceUntil, debounceStarts } = run;
  if (debounceKey === null) return null;
  return {
    key: debounceTextOf(debounceKey),
    starts: debounceStarts!,
    until: debounceUntil!.toISOString(),
  };
}

/** Until when a run waits whose first start is of now. */
export function latestStart({ maxWait }: Debounce, now: Date): Date {
  return secondsAfter(now, maxWait);
}

/** When a run begins whose newest start is of now. */
export function nextStart({ wait }: Debounce, now: Date, until: Date): Date {
  const next = secondsAfter(now, wait);
  return next < until ? next : until;
}

/** @throws InvalidRequest where a run would expire while it waits for further starts */
export function assertOutlastsWait(
  debounce: Debounce | null,
  { expiresAt }: Pick<Run, 'expiresAt'>,
  now: Date,
): void {
  if (debounce === null || expiresAt === null || expiresAt > secondsAfter(now, debounce.wait)) return;
  throw InvalidRequest.at(
    'expiresAt',
    `must be later than ${debounce.wait} s from now: the script waits so long for further starts`,
  );
}

function secondsAfter(date: Date, seconds: number): Date {
  return new Date(date.getTime() + seconds * 1_000);
}

import { type ErrorDetail, InvalidRequest } from '../../core/errors/index.js';
import { momentOf } from '../../core/http/index.js';
import type { RunInput } from '../run-input.dto.js';
import { type Concurrency, type Debounce, type KeyPart, keyParts } from '../../scripts/index.js';
import type { Run } from '../run.entity.js';
import type { EndReason, RunPhase } from '../run.status.js';

/** When a run may begin, and which go before it. */
export type RunTurn = Pick<Run, 'startAt' | 'expiresAt' | 'rank' | 'queue'> & {
  concurrency: Concurrency | null;
  /** How long it waits for further starts that take its place; null: it does not. */
  debounce: Debounce | null;
};

/** The topic by which those who end runs say of which keys places are free, perhaps. */
export const RUN_TURNS = 'run-turns';

const MOST_DAYS = 366;

/** What a run says that was cancelled by itself. */
export const END_WORDS: Readonly<Record<EndReason, string>> = {
  expired: 'it had not begun by the time at which it expires',
  skipped: 'as many runs of its key went on as may at once',
  replaced: 'a newer run of its key took its place',
};

/**
 * The times and the rank that a start asks for. A moment that is over by now starts it at once.
 *
 * @throws InvalidRequest naming each time that cannot be
 */
export function turnOf(
  { startAt, expiresAt, priority = 0 }: Pick<RunInput, 'startAt' | 'expiresAt' | 'priority'>,
  now: Date,
): Pick<RunTurn, 'startAt' | 'expiresAt' | 'rank'> {
  const start = startAt === undefined ? now : momentOf(startAt, now);
  const begins = start > now ? start : now;
  const end = expiresAt === undefined ? null : momentOf(expiresAt, now);
  const details: ErrorDetail[] = [];
  if (start > daysAfter(now)) details.push({ path: 'startAt', message: 'must be within a year' });
  if (end !== null && end <= begins)
    details.push({ path: 'expiresAt', message: 'must be in the future, and later than startAt' });
  if (end !== null && end > daysAfter(begins))
    details.push({ path: 'expiresAt', message: 'must be within a year after the run may start' });
  if (details.length > 0) throw InvalidRequest.listing(details);
  return { startAt: start > now ? start : null, expiresAt: end, rank: -priority || 0 };
}

/** Where a run begins that nobody has to approve. */
export function firstPhase(turn: Pick<RunTurn, 'startAt' | 'queue' | 'concurrency'>): RunPhase {
  if (turn.startAt !== null) return 'delayed';
  return keyPartsOf(turn) === null ? 'queued' : 'waiting';
}

/** What its key is made of; null: it shares places with no run. In a queue each has one, so that it waits by its key. */
export function keyPartsOf({ queue, concurrency }: Pick<RunTurn, 'queue' | 'concurrency'>): KeyPart[] | null {
  if (concurrency === null) return queue === null ? null : [];
  return keyParts(concurrency.key);
}

/** What a run's inputs made of its version's key, as people know it. */
export function keyTextOf({ concurrencyKey }: Pick<Run, 'concurrencyKey'>): string | null {
  return concurrencyKey === null ? null : concurrencyKey.split('/').slice(2).join('/');
}

/** The same of a key by which starts are gathered: behind script, environment and a guest's id. */
export function debounceTextOf(debounceKey: string): string {
  return debounceKey.split('/').slice(3).join('/');
}

function daysAfter(date: Date): Date {
  return new Date(date.getTime() + MOST_DAYS * 86_400_000);
}

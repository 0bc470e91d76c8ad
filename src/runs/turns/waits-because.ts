import type { Run } from '../run.entity.js';
import type { RunPhase } from '../run.status.js';
import { debounceTextOf, keyTextOf } from './run-turn.rules.js';
import type { Places } from './run-turns.sql.js';

type WaitingRun = Pick<
  Run,
  'phase' | 'startAt' | 'concurrencyKey' | 'queue' | 'debounceKey' | 'debounceUntil' | 'runsOn'
> & {
  queuedBehind: number | null;
  /** No worker carries its tags. */
  isUnplaceable: boolean;
  waitingApprovalIds: readonly string[];
  /** What its version asks for beyond the usual, in MiB, while it starts. */
  askedMemory: number | null;
};

const NOT_BEGUN: ReadonlySet<RunPhase> = new Set(['delayed', 'waiting', 'queued']);
const HELD_COPY =
  'This service is a restored copy, which begins no run until its operator has it go on by the command `resume`.';

/**
 * What keeps a run from a worker or from going on, in a sentence for whoever reads it; null: nothing, or it says so in another place.
 *
 * @param places of those that share them with it, while it waits for its turn
 * @param isHeldCopy whether the service is a restored copy that was not told to go on
 */
export function waitsBecause(run: WaitingRun, places: Places | null, isHeldCopy: boolean): string | null {
  const { phase, startAt, queuedBehind } = run;
  if (isHeldCopy && NOT_BEGUN.has(phase)) return HELD_COPY;
  if (phase === 'delayed') return `It starts at ${startAt!.toISOString()}${unlessDebounced(run)}.`;
  if (phase === 'queued') {
    if (run.isUnplaceable)
      return `No worker that is running carries ${tagsText(run.runsOn!)}. It begins once one does.`;
    if (queuedBehind === 0) return 'It is the next in line for a worker.';
    return `It waits for a worker: ${behind(queuedBehind!)} before it.`;
  }
  if (phase === 'starting' && run.askedMemory !== null)
    return `It asks for ${run.askedMemory} MiB of memory, and begins once its worker has as much to spare.`;
  if (phase === 'executing') return waitsForYes(run.waitingApprovalIds);
  if (phase !== 'waiting' || places === null) return null;
  const queue = queueThatHolds(places);
  if (queue?.paused)
    return `The queue “${run.queue!}” is paused: no run of it begins until somebody resumes it.`;
  if (queue) return turn(queue, ` of the queue “${run.queue!}”`);
  const key = keyTextOf(run);
  return turn(places, key ? ` of “${key}”` : ' of the script');
}

function waitsForYes(ids: readonly string[]): string | null {
  if (ids.length === 0) return null;
  const what = ids.length === 1 ? 'a request that it wants' : `${ids.length} requests that it wants`;
  return `It waits for a person's yes to ${what} to send: ${ids.join(', ')}.`;
}

function unlessDebounced(run: WaitingRun): string {
  const { debounceKey, debounceUntil } = run;
  if (debounceKey === null) return '';
  const key = debounceTextOf(debounceKey);
  return `, unless ${key ? `“${key}”` : 'the script'} is started again before; then later, by ${debounceUntil!.toISOString()} at the latest`;
}

/** How many that wait for the same go before it, counted to 1,000. */
export function waitsBehind(places: Places): number {
  return (queueThatHolds(places) ?? places).before;
}

/** null: its key has no place for it, so one of the queue would be of no use to it. */
function queueThatHolds({ limit, going, queue }: Places): Places['queue'] {
  return limit !== null && going >= limit ? null : queue;
}

function turn({ limit, going, before }: Omit<Places, 'queue'>, whose: string): string {
  const place = before === 0 ? 'it is the next.' : `${behind(before)} before it.`;
  if (limit === null) return `It waits for its turn: ${place}`;
  return `It waits for its turn: ${going} of ${limit} runs${whose} that may go on at once do, and ${place}`;
}

function tagsText(tags: readonly string[]): string {
  const quoted = tags.map((tag) => `“${tag}”`).join(', ');
  return tags.length === 1 ? `the tag ${quoted}` : `all of the tags ${quoted}`;
}

function behind(count: number): string {
  const runs = count >= 1000 ? '1,000 or more' : String(count);
  return `${runs} ${count === 1 ? 'run goes' : 'runs go'}`;
}

import type { Gatehouse, MatchingRuns, Run, RunOperation } from '@gatehouse/client';

import { WrongUse } from '../failure/command-failure.js';
import { type JsonOptions, wantsJson } from '../output/fields.js';
import { printAsJson } from '../output/print.js';
import { confirmDeletion, type DeletionOptions } from '../terminal/confirm-deletion.js';
import { say } from '../terminal/say.js';
import { filtersOf, NARROWING, type RunFilterOptions } from './run-filter-options.js';

/** Which runs are meant, and how it goes on. */
export interface FilterOptions extends JsonOptions, DeletionOptions, RunFilterOptions {
  all?: true;
  limit?: string;
  dryRun?: true;
  detach?: true;
}

interface ManyRuns {
  count: () => Promise<MatchingRuns>;
  ask: (runs: string) => string;
  begin: () => Promise<RunOperation>;
  /** What has become of those that are done. */
  done: string;
}

/** What the options say of many runs; null: the one run that was named is meant. */
export function filterOf(
  [id]: readonly string[],
  options: FilterOptions,
  statuses: readonly Run['status'][],
) {
  const narrows = options.all || NARROWING.some((name) => options[name] !== undefined);
  if (id !== undefined && narrows) throw new WrongUse('Name a run, or say which ones are meant: not both.');
  if (id !== undefined) return null;
  if (!narrows) throw new WrongUse('Which runs?', 'Name one, or add --script, --status, …, or --all.');
  return {
    ...filtersOf(options, statuses),
    ...(options.all && { all: true }),
    ...(options.limit !== undefined && { limit: limitOf(options.limit) }),
  };
}

/** Says how many there are, asks, and waits for the end. Gives the exit code: 1 where not all could be done. */
export async function onMany(
  operations: Gatehouse['runOperations'],
  options: FilterOptions,
  { count, ask, begin, done }: ManyRuns,
): Promise<number> {
  const found = await count();
  if (options.dryRun) {
    if (wantsJson(options)) await printAsJson(found, options);
    else console.log(runsIn(found));
    return 0;
  }
  if (found.matched === 0) {
    say('No run fits.');
    return 0;
  }
  await confirmDeletion(ask(runsIn(found)), options);
  let operation = await begin();
  if (!options.detach) operation = await operations.wait(operation.id);
  if (wantsJson(options)) await printAsJson(operation, options);
  else report(operation, done);
  return operation.status === 'running' || operation.status === 'completed' ? 0 : 1;
}

function report(operation: RunOperation, what: string): void {
  const { id, status, matched, done, skipped, failed, error, leftOut = [] } = operation;
  if (status === 'running') {
    console.log(id);
    return say(`It goes on: gatehouse runs operations view ${id}`);
  }
  say(`${done} of ${matched} ${what}, ${skipped} skipped${failed > 0 ? `, ${failed} failed` : ''}.`);
  for (const { runId, reason } of leftOut) say(`  ${runId}: ${reason}`);
  if (error !== null) say(`It has ended before its end: ${error}`);
}

function runsIn({ matched, more }: MatchingRuns): string {
  const runs = matched === 1 ? '1 run' : `${matched} runs`;
  return more ? `${runs}, the newest of more` : runs;
}

function limitOf(text: string): number {
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1)
    throw new WrongUse(`--limit takes a number from 1 on, not "${text}".`);
  return limit;
}

import type { Gatehouse, HeldRun, Run } from '@gatehouse/client';

import { stringifyJson } from '../output/json.js';
import { EXIT } from '../failure/exit-codes.js';
import { type JsonOptions, wantsJson } from '../output/fields.js';
import { printAsJson, printJson, printList } from '../output/print.js';
import { red, yellow } from '../terminal/colours.js';
import { say } from '../terminal/say.js';
import { plainText } from '../terminal/plain-text.js';
import { PLANNED_COLUMNS } from './list-planned.js';
import type { RunProgress } from './run-progress.js';

/**
 * Prints what came of a run: its output on standard output, why it failed on standard error. Gives the exit code.
 *
 * Of a plan it prints what it would have sent, too.
 *
 * @param quiet says and prints nothing but the JSON that was asked for
 * @param progress what has been shown of it
 */
export async function reportRun(
  gatehouse: Gatehouse,
  run: Run | HeldRun,
  options: JsonOptions,
  { quiet = false, progress }: { quiet?: boolean; progress?: RunProgress } = {},
): Promise<number> {
  const planned = run.plan && run.phase === 'finished' ? await allOf(gatehouse.runs.planned(run.id)) : null;
  if (wantsJson(options)) await printAsJson({ ...run, ...(planned && { planned }) }, options);
  else if (!quiet && !isOnScreen(run, progress)) printOutput(run);
  if (planned && !quiet && !wantsJson(options)) {
    await printList(planned, options, PLANNED_COLUMNS);
    say(`${yellow('planned:')} ${plannedInWords(run.plannedRequests, planned.length)}`);
  }
  if (!quiet) {
    if (run.status === 'failed') say(`${red('failed:')} ${run.error ?? ''}`);
    if (run.status === 'cancelled') say(`${red('cancelled:')} ${run.error ?? 'somebody ended it'}`);
    for (const file of run.files ?? []) {
      if (file.direction === 'out') say(`file ${file.name}: gatehouse files get ${file.id}`);
    }
  }
  if (run.status === 'awaiting_approval') return EXIT.held;
  return run.status === 'failed' || run.status === 'cancelled' ? EXIT.failed : EXIT.done;
}

async function allOf<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of list) items.push(item);
  return items;
}

function plannedInWords(count: number, listed: number): string {
  if (count === 0) return 'it would have sent nothing';
  const all = `${count} ${count === 1 ? 'request was' : 'requests were'} not sent`;
  if (listed >= count) return all;
  return listed === 0 ? `${all}; the list is not kept any more` : `${all}; the first ${listed} are listed`;
}

/** A person who looks at both streams has read it already. */
function isOnScreen({ output }: Run, progress: RunProgress | undefined): boolean {
  const together = process.stdout.isTTY && process.stderr.isTTY;
  return together && typeof output === 'string' && progress?.hasJustShown(output) === true;
}

/** Text as it is; all else as JSON. */
function printOutput({ output }: Run): void {
  if (output === null || output === undefined) return;
  const isText = typeof output === 'string' && stringifyJson(output).startsWith('"');
  if (!isText) return printJson(output);
  // To a program it goes unchanged, to a terminal without what could move its cursor.
  console.log(process.stdout.isTTY ? plainText(output) : output);
}

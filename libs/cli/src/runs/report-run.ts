import type { Gatehouse, HeldRun, Run } from '@gatehouse/client';

import { EXIT } from '../failure/exit-codes.js';
import { type JsonOptions, wantsJson } from '../output/fields.js';
import { printAsJson, printJson } from '../output/print.js';
import { rawField } from '../output/raw-field.js';
import { red } from '../terminal/colours.js';
import { say } from '../terminal/say.js';
import { plainText } from '../terminal/plain-text.js';
import type { RunProgress } from './run-progress.js';

/**
 * Prints what came of a run: its output on standard output, why it failed on standard error. Gives the exit code.
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
  if (wantsJson(options)) await printAsJson(run, options);
  else if (!quiet && !isOnScreen(run, progress)) await printOutput(gatehouse, run);
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

/** A person who looks at both streams has read it already. */
function isOnScreen({ output }: Run, progress: RunProgress | undefined): boolean {
  const together = process.stdout.isTTY && process.stderr.isTTY;
  return together && typeof output === 'string' && progress?.hasJustShown(output) === true;
}

/** Text as it is; all else as JSON, with its numbers as they were written. */
async function printOutput(gatehouse: Gatehouse, { id, output }: Run): Promise<void> {
  if (output === null || output === undefined) return;
  // To a program it goes unchanged, to a terminal without what could move its cursor.
  if (typeof output === 'string') return console.log(process.stdout.isTTY ? plainText(output) : output);
  const response = await gatehouse.request({ method: 'GET', url: '/v1/runs/{id}', path: { id } });
  const text = rawField(await response.text(), 'output') ?? JSON.stringify(output);
  // Only where nothing is lost by it, it is laid out.
  if (process.stdout.isTTY && JSON.stringify(output) === text) return printJson(output);
  console.log(text);
}

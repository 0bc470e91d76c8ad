import type { Gatehouse, HeldRun, StartOptions } from '@gatehouse/client';

import { type JsonOptions, wantsJson } from '../output/fields.js';
import { yellow } from '../terminal/colours.js';
import { plainText } from '../terminal/plain-text.js';
import { say } from '../terminal/say.js';
import { interruptible } from './interruptible.js';
import { reportRun } from './report-run.js';
import { RunProgress } from './run-progress.js';

export interface StartedOptions extends JsonOptions {
  wait?: true;
  detach?: true;
}

/** Starts a run, follows it to its end and prints its output. Gives the exit code. */
export async function startedRun(
  gatehouse: Gatehouse,
  start: (options: StartOptions) => Promise<HeldRun>,
  options: StartedOptions,
): Promise<number> {
  const { wait, detach } = options;
  let id: string | null = null;
  const begun = await interruptible(
    gatehouse,
    () => id,
    (signal) => start({ wait: 'none', signal }),
  );
  id = begun.id;
  const isHeld = begun.status === 'awaiting_approval';
  if (isHeld) {
    say(
      `${yellow('held:')} a person has to approve this run${begun.approval ? ` at ${begun.approval.approveUrl}` : ''}`,
    );
  }
  const isDelayed = begun.phase === 'delayed';
  if (isDelayed) {
    const why = begun.debounce ? begun.waitsBecause : `It starts at ${begun.startAt}.`;
    say(`${plainText(why ?? '')} Wait for it: gatehouse runs watch ${begun.id}`);
  }
  if (detach || ((isHeld || isDelayed) && !wait)) {
    if (!wantsJson(options) && !isHeld) console.log(plainText(begun.id));
    if (isHeld && !detach) say(`Wait for it: gatehouse runs watch ${begun.id}`);
    return await reportRun(gatehouse, begun, options, { quiet: true });
  }
  const progress = new RunProgress();
  try {
    const finished = await interruptible(
      gatehouse,
      () => begun.id,
      (signal) => gatehouse.runs.wait(begun.id, { onEvent: progress.show, signal }),
    );
    return await reportRun(gatehouse, finished, options, { progress });
  } finally {
    progress.end();
  }
}

import type { Context } from '../context.js';
import { interruptible } from './interruptible.js';
import { reportRun } from './report-run.js';
import { RunProgress } from './run-progress.js';

export default async function watchRun({ args, options, gatehouse }: Context): Promise<number> {
  const client = await gatehouse();
  const [id = ''] = args;
  const progress = new RunProgress();
  try {
    const run = await interruptible(
      client,
      () => id,
      (signal) => client.runs.wait(id, { onEvent: progress.show, signal }),
    );
    return await reportRun(client, run, options, { progress });
  } finally {
    progress.end();
  }
}

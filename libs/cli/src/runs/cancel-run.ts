import type { Context } from '../context.js';
import { wantsJson } from '../output/fields.js';
import { printAsJson } from '../output/print.js';
import { say } from '../terminal/say.js';
import { type FilterOptions, filterOf, onMany } from './on-many.js';

export default async function cancelRun({
  args,
  options,
  gatehouse,
}: Context<FilterOptions>): Promise<number> {
  const filter = filterOf(args, options, ['awaiting_approval', 'running']);
  const client = await gatehouse();
  if (filter) {
    return onMany(client.runOperations, options, {
      count: () => client.runOperations.countToCancel(filter),
      ask: (runs) => `Cancel ${runs}?`,
      begin: () => client.runOperations.cancelRuns(filter),
      done: 'cancelled, or being ended',
    });
  }
  const [id = ''] = args;
  await client.runs.cancel(id);
  // It is cancelled once its processes are gone.
  const run = await client.runs.wait(id);
  if (wantsJson(options)) await printAsJson(run, options);
  else say(`${run.id} is ${run.status}.`);
  return 0;
}

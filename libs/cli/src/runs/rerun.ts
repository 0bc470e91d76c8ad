import type { Context } from '../context.js';
import { type FilterOptions, filterOf, onMany } from './on-many.js';
import { type StartedOptions, startedRun } from './started-run.js';

export default async function rerun({
  args,
  options,
  gatehouse,
}: Context<StartedOptions & FilterOptions>): Promise<number> {
  const filter = filterOf(args, options, ['succeeded', 'failed', 'cancelled']);
  const client = await gatehouse();
  if (filter) {
    return onMany(client.runOperations, options, {
      count: () => client.runOperations.countToRerun(filter),
      ask: (runs) => `Run ${runs} again?`,
      begin: () => client.runOperations.rerunRuns(filter),
      done: 'started again',
    });
  }
  return startedRun(client, (how) => client.runs.rerun(args[0]!, how), options);
}

import type { Context } from '../context.js';
import { type StartedOptions, startedRun } from './started-run.js';

export default async function rerun({ args, options, gatehouse }: Context<StartedOptions>): Promise<number> {
  const client = await gatehouse();
  return startedRun(client, (how) => client.runs.rerun(args[0]!, how), options);
}

import type { Context } from '../context.js';
import { wantsJson } from '../output/fields.js';
import { printAsJson } from '../output/print.js';
import { say } from '../terminal/say.js';

export default async function cancelRun({ args, options, gatehouse }: Context): Promise<void> {
  const client = await gatehouse();
  const [id = ''] = args;
  await client.runs.cancel(id);
  // It is cancelled once its processes are gone.
  const run = await client.runs.wait(id);
  if (wantsJson(options)) await printAsJson(run, options);
  else say(`${run.id} is ${run.status}.`);
}

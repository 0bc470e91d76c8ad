import type { Context } from '../context.js';
import { printJson } from '../output/print.js';
import { fieldsOf } from '../output/fields.js';
import { say } from '../terminal/interactive.js';

export default async function cancelRun({ args, options, gatehouse }: Context): Promise<void> {
  const client = await gatehouse();
  const [id = ''] = args;
  await client.runs.cancel(id);
  // It is cancelled once its processes are gone.
  const run = await client.runs.wait(id);
  if (options.json !== undefined) printJson(fieldsOf(run, options.json));
  else say(`${run.id} is ${run.status}.`);
}

import type { Context } from '../context.js';
import { endOf } from '../general/moment.js';
import { wantsJson } from '../output/fields.js';
import { printAsJson } from '../output/print.js';
import { say } from '../terminal/say.js';
import type { OwnOptions } from './own-options.js';

export default async function moveRun({
  args,
  options,
  gatehouse,
}: Context<OwnOptions & { startAt: string }>): Promise<number> {
  const [id = ''] = args;
  const run = await (await gatehouse()).runs.move(id, endOf('--start-at', options.startAt));
  if (wantsJson(options)) await printAsJson(run, options);
  else say(run.waitsBecause ?? `${run.id} is ${run.status}.`);
  return 0;
}

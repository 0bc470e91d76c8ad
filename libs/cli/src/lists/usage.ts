import type { Context } from '../context.js';
import { wantsJson } from '../output/fields.js';
import { printAsJson, printList } from '../output/print.js';
import { yellow } from '../terminal/colours.js';
import { say } from '../terminal/say.js';

export default async function usage({ options, gatehouse }: Context): Promise<void> {
  const used = await (await gatehouse()).usage.get();
  if (wantsJson(options)) return printAsJson(used, options);
  await printList(used.meters, options, [
    ['meter', ({ id }) => id],
    ['used', ({ used: count }) => count],
    ['limit', ({ limit }) => limit ?? 'none'],
    ['what', ({ description }) => description],
  ]);
  say(`Until ${used.periodEnd}, when the counts begin anew.`);
  const { maxMemory, maxCpus, maxProcesses, maxTimeout } = used.eachRun;
  const most = [
    maxMemory !== null && `${maxMemory} MiB of memory`,
    maxCpus !== null && `${maxCpus} processors`,
    maxProcesses !== null && `${maxProcesses} processes`,
    maxTimeout !== null && `${maxTimeout} s`,
  ].filter((limit) => limit !== false);
  if (most.length > 0) say(`Each run has at most ${most.join(', ')}.`);
  for (const notice of used.notices ?? []) say(`${yellow('notice:')} ${notice}`);
}

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
  for (const notice of used.notices ?? []) say(`${yellow('notice:')} ${notice}`);
}

import { WrongUse } from '../failure/command-failure.js';

/** As many of a list as `--limit` says, however many pages that is. */
export async function first<Item>(list: AsyncIterable<Item>, limit: string): Promise<Item[]> {
  const most = Number(limit);
  if (!Number.isInteger(most) || most < 1)
    throw new WrongUse(`--limit has to be a whole number, not "${limit}".`);
  const items: Item[] = [];
  for await (const item of list) {
    items.push(item);
    if (items.length === most) break;
  }
  return items;
}

import { WrongUse } from '../failure/command-failure.js';
import { nearest } from './nearest.js';

/** How those of one kind are told apart by a person. */
interface Named<Item> {
  /** In a sentence: `schedule`. */
  word: string;
  /** What their ids begin with. */
  prefix: string;
  list: () => AsyncIterable<Item>;
  nameOf: (item: Item) => string;
}

const MOST_LOOKED_AT = 2_000;

/**
 * The id of what was named: by its id, or by its name where only one has it.
 *
 * @throws WrongUse where there is none, or there are several
 */
export async function idByName<Item extends { id: string }>(
  text: string,
  { word, prefix, list, nameOf }: Named<Item>,
): Promise<string> {
  if (new RegExp(`^${prefix}_[0-9a-z]{26}$`).test(text)) return text;
  const looked: Item[] = [];
  for await (const item of list()) {
    looked.push(item);
    if (looked.length === MOST_LOOKED_AT) break;
  }
  const found = looked.filter((item) => nameOf(item) === text);
  if (found.length === 1) return found[0]!.id;
  if (found.length > 1) {
    const ids = found.map(({ id }) => id).join(', ');
    throw new WrongUse(`There are ${found.length} ${word}s called "${text}".`, `Give the id of one: ${ids}`);
  }
  const meant = nearest(text, looked.map(nameOf));
  throw new WrongUse(
    `There is no ${word} "${text}" here.`,
    meant === null ? `Look: gatehouse ${GROUPS[word] ?? `${word}s`} list` : `Did you mean "${meant}"?`,
  );
}

const GROUPS: Readonly<Record<string, string>> = { endpoint: 'webhooks' };

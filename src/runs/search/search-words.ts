import { cutText } from '../../../libs/cut-text/index.js';
import { normalText } from '../../../libs/normal-text/index.js';

/** Characters of what is looked for, and words in it. */
export const LONGEST_QUERY = 200;
const MOST_WORDS = 8;
/** Characters of a word: what is longer is found by its beginning. */
const LONGEST_WORD = 64;
/** Words of a run. */
const MOST_OF_A_RUN = 1_000;
/** A shorter word is no beginning of others: so many begin with it. */
const LEAST_OF_A_PREFIX = 2;

/** An id of this service, which is found as a whole. Or letters and digits. */
const WORDS =
  /(?<id>(?<![\p{L}\p{M}\p{N}_])[a-z]{2,4}_[0-9a-z]{26}(?![\p{L}\p{M}\p{N}_]))|[\p{L}\p{M}\p{N}]+/gu;
/** A text in JSON. */
const JSON_TEXT = /"(?:[^"\\]|\\.)*"/gs;

/** The words of a run, each once. */
export function wordsOf(texts: readonly string[]): string[] {
  const words = new Set<string>();
  for (const text of texts) {
    for (const { word } of wordsIn(text)) {
      words.add(word);
      if (words.size === MOST_OF_A_RUN) return [...words];
    }
  }
  return [...words];
}

/** A JSON value's texts, names and numbers, for `wordsOf`. */
export function plainTextOf(json: string): string {
  return json.replace(JSON_TEXT, (text) => ` ${String(JSON.parse(text))} `);
}

/** The condition that all words of a text are there, as PostgreSQL reads it; null: there are none, or too many. */
export function searchOf(text: string): string | null {
  const words = [...wordsIn(text)];
  if (words.length === 0 || words.length > MOST_WORDS) return null;
  // Letters and digits alone, and ids: nothing in them has a meaning there.
  return words
    .map(({ word, isId }) => `'${word}'${isId || word.length < LEAST_OF_A_PREFIX ? '' : ':*'}`)
    .join(' & ');
}

function* wordsIn(text: string): Generator<{ word: string; isId: boolean }> {
  const plain = normalText(text, 'NFKC').toLowerCase();
  for (const { 0: found, groups } of plain.matchAll(WORDS)) {
    const isId = groups?.['id'] !== undefined;
    yield { word: isId ? found : cutText(found, LONGEST_WORD), isId };
  }
}

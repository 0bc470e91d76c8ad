import { ENGLISH, type EntryWords } from '../../kit/entry-words.js';

const OTHERS = import.meta.glob<EntryWords>('../../kit/entry-words.??.ts', { import: 'WORDS' });

/** The words of the first of the reader's languages that there are any in; English where there are none. */
export async function entryWordsFor(languages: readonly string[]): Promise<EntryWords> {
  for (const tag of languages) {
    const language = tag.split('-', 1)[0]!.toLowerCase();
    if (language === 'en') break;
    const load = OTHERS[`../../kit/entry-words.${language}.ts`];
    if (load) return load().catch(() => ENGLISH);
  }
  return ENGLISH;
}

import { createContext, use } from 'react';

import { ENGLISH, type EntryWords } from './entry-words.js';

/** The app is in English, also where it shows parts of the sign-in page. */
export const EntryWordsContext = createContext(ENGLISH);

export function useEntryWords(): EntryWords {
  return use(EntryWordsContext);
}

/** What the service said, in the language of the words where they have it. */
export function translated({ messages }: EntryWords, text: string): string {
  return Object.hasOwn(messages, text) ? messages[text]! : text;
}

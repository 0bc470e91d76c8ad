import { expect, it } from 'vitest';

import { entryWordsFor } from './entry-words-for.js';

it.each([
  [['de-AT', 'en'], 'de'],
  [['fr-FR', 'de'], 'de'],
  [['en-GB', 'de'], 'en'],
  [['fr'], 'en'],
  [[], 'en'],
])('who reads %j gets the words of %s', async (languages, language) => {
  expect((await entryWordsFor(languages)).language).toBe(language);
});

import { expect, it } from 'vitest';

import { languageOf } from './language-of.js';

it('knows the syntax by the name, but reads no Markdown that would hold up the page', async () => {
  expect(await languageOf('a/main.py', '')).not.toBeNull();
  expect(await languageOf('notes.txt', '')).toBeNull();
  expect(await languageOf('README.md', '# Title\n\n'.repeat(10_000))).not.toBeNull();
  expect(await languageOf('README.md', '[a]('.repeat(10_000))).toBeNull();
});

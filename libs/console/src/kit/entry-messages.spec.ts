import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { WORDS } from './entry-words.de.js';

/** Where what is said to who signs in is written. */
const PLACES = ['src/auth', 'src/sign-in', 'src/core/errors', 'libs/console/src/api', 'libs/console/src/kit'];
const ROOT = join(import.meta.dirname, '../../../..');

function sources(place: string): string {
  const files = readdirSync(join(ROOT, place), { recursive: true, encoding: 'utf8' });
  const own = files.filter((name) => /(?<!\.spec)\.tsx?$/.test(name) && !name.includes('entry-words.'));
  return own.map((name) => readFileSync(join(ROOT, place, name), 'utf8')).join('\n');
}

it('translates what is said still', () => {
  const said = PLACES.map(sources).join('\n');
  expect(Object.keys(WORDS.messages).filter((message) => !said.includes(message))).toEqual([]);
});

import { expect, it } from 'vitest';

import { programOf } from '../program.js';
import { firstWord, mayBeOfExtension, placeOptions } from './first-word.js';

const program = programOf('1.0.0');

it.each([
  [['tickets', 'list'], 'tickets', true],
  [['-w', 'acme', '--profile', 'runs', 'tickets'], 'tickets', true],
  [['--url=https://gatehouse.example.com', 'runs', 'list'], 'runs', false],
  [['--', 'tickets'], 'tickets', true],
  [['--help'], undefined, true],
  [[], undefined, true],
  [['help', 'tickets'], 'help', true],
  [['run', 'tickets'], 'run', false],
  [['complete', '--', 'tickets', ''], 'complete', false],
])('looks at the first word of %j', (args, word, may) => {
  expect(firstWord(program, args)).toBe(word);
  expect(mayBeOfExtension(program, args)).toBe(may);
});

it('finds where it acts, wherever that stands', () => {
  const args = ['-w', 'acme', 'tickets', 'list', '--profile=work', '--limit', '3', '--', '--env', 'x'];
  expect(placeOptions(program, args)).toEqual({ workspace: 'acme', profile: 'work' });
});

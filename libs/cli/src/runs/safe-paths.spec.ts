import { expect, it } from 'vitest';

import { safePaths } from './safe-paths.js';

it.each([
  ['report.csv', 'report.csv'],
  ['a/b.txt', 'a/b.txt'],
  ['../../.ssh/authorized_keys', '_ssh/authorized_keys'],
  ['/etc/passwd', 'etc/passwd'],
  ['C:\\x\\y', 'C_/x/y'],
  ['.envrc', '_envrc'],
  ['-rf', '_rf'],
  ['a\u001b[2Jb\nc', 'a\ufffd[2Jb_c'],
  ['..', '1-'],
])('makes of %j %j', (name, path) => expect(safePaths([name])).toEqual([path]));

it('gives each a place of its own', () => {
  expect(safePaths(['a', 'A', 'a/b', 'b/c', 'b'])).toEqual(['a', '2-A', '3-a-b', 'b/c', '5-b']);
});

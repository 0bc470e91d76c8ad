import { expect, it } from 'vitest';

import { TurnKeys } from './turn-keys.js';

it('keys of scripts are taken in turn, each once', () => {
  const keys = new TurnKeys();
  for (const key of ['a/1', 'a/2', 'a/3', 'a/1', 'b/1', 'c/1', 'c/2']) keys.add(key);
  const taken = [keys.take(), keys.take()];
  keys.add('b/2');
  for (let key = keys.take(); key !== null; key = keys.take()) taken.push(key);
  expect(taken).toEqual(['a/1', 'b/1', 'c/1', 'a/2', 'b/2', 'c/2', 'a/3']);
});

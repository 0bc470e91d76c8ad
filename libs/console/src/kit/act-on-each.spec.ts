import { describe, expect, it } from 'vitest';

import { Problem } from '../api/problem.js';
import { actOnEach } from './act-on-each.js';

describe('actOnEach', () => {
  it('goes on where one is refused, and tells why', async () => {
    const outcome = await actOnEach([1, 2, 3], String, (item) =>
      item === 2 ? Promise.reject(new Problem({ message: 'It has ended.' })) : Promise.resolve(),
    );
    expect(outcome).toEqual({ done: 2, refused: [{ name: '2', reason: 'It has ended.' }] });
  });

  it('stops where nobody is signed in any more', async () => {
    const ended = new Problem({ code: 'unauthorized', message: 'Sign in.' });
    await expect(actOnEach([1, 2], String, () => Promise.reject(ended))).rejects.toBe(ended);
  });
});

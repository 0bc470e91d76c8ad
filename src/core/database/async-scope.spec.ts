import { setImmediate as tick } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { AsyncScope } from './async-scope.js';

describe('AsyncScope', () => {
  it('gives each piece of work its own value, also when several go on at once', async () => {
    const scope = new AsyncScope<string>();
    const inside = (name: string) =>
      scope.run(name, async () => {
        await tick();
        const first = scope.current;
        await tick();
        return [first, scope.current];
      });
    expect(await Promise.all([inside('a'), inside('b')])).toEqual([
      ['a', 'a'],
      ['b', 'b'],
    ]);
    expect(scope.current).toBeUndefined();
    expect(await inside('again')).toEqual(['again', 'again']);
  });

  it('has nothing outside, also while somebody is inside, and leaves on an error', async () => {
    const scope = new AsyncScope<string>();
    const failing = scope.run('a', async () => {
      await tick();
      throw new Error('no');
    });
    expect(scope.current).toBeUndefined();
    await expect(failing).rejects.toThrow('no');
    expect(scope.current).toBeUndefined();
  });
});

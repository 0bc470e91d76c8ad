import { describe, expect, it } from 'vitest';

import type { DueBatch } from './due.repository.js';
import { TakesTogether } from './takes-together.js';

function batchOf(workspaceId: string): DueBatch {
  return {
    workspaceId,
    url: 'https://example.com',
    sealedSecrets: [],
    key: { workspaceId, masterKeyId: 1, sealedKey: Buffer.alloc(0) },
    consecutiveFailures: 0,
    deliveries: [],
  } as unknown as DueBatch;
}

describe('What is due at several endpoints', () => {
  it('is asked for together where they ask at the same time, in the order of their ids', async () => {
    const asked: [string[], string[]][] = [];
    const takes = new TakesTogether((ids, held) => {
      asked.push([ids, held]);
      return Promise.resolve(new Map([['a', batchOf('one')]]));
    });
    const [b, a] = await Promise.all([takes.of('b', ['m1']), takes.of('a', ['m2'])]);
    expect(asked).toEqual([
      [
        ['a', 'b'],
        ['m1', 'm2'],
      ],
    ]);
    expect([a?.workspaceId, b]).toEqual(['one', null]);
    await takes.of('a', []);
    expect(asked).toHaveLength(2);
  });

  it('is asked for in parts where there are many', async () => {
    const asked: number[] = [];
    const takes = new TakesTogether((ids) => {
      asked.push(ids.length);
      return Promise.resolve(new Map(ids.map((id) => [id, batchOf(id)])));
    });
    const ids = Array.from({ length: 40 }, (_, index) => `e${index}`);
    const batches = await Promise.all(ids.map((id) => takes.of(id, [])));
    expect(asked).toEqual([16, 16, 8]);
    expect(batches.map((batch) => batch?.workspaceId)).toEqual(ids);
  });

  it('fails for all that were asked for together, and not for those that come later', async () => {
    let failing = true;
    const takes = new TakesTogether(() =>
      failing ? Promise.reject(new Error('gone')) : Promise.resolve(new Map()),
    );
    const results = await Promise.allSettled([takes.of('a', []), takes.of('b', [])]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    failing = false;
    expect(await takes.of('a', [])).toBeNull();
  });
});

import { AsyncLocalStorage } from 'node:async_hooks';

import { describe, expect, it } from 'vitest';

import type { Claimed, Places } from './fair-share.js';
import { type Claim, LeasedWork, type Work } from './leased-work.js';

class Job implements Work<{ id: string; cancel?: boolean }> {
  isLost = false;
  cancelled = false;
  end!: (error?: Error) => void;
  private readonly done = new Promise<void>((resolve, reject) => {
    this.end = (error) => (error ? reject(error) : resolve());
  });

  carryOut(): Promise<void> {
    return this.done;
  }

  lost(): void {
    this.isLost = true;
  }

  renewed({ cancel }: { cancel?: boolean }): void {
    this.cancelled ||= cancel === true;
  }
}

function leasedWork(places: number, claims: (Partial<Claimed<Claim>> | Promise<Partial<Claimed<Claim>>>)[]) {
  const asked: Places[] = [];
  const jobs = new Map<string, Job>();
  const errors: string[] = [];
  let freed = 0;
  const work = new LeasedWork<Claim, Job, { id: string; cancel?: boolean }>({
    places,
    share: 0.75,
    claim: async (wanted) => {
      asked.push(wanted);
      return { items: [], missed: false, passedOver: false, ...(await claims.shift()) };
    },
    begin: ({ id }) => {
      const job = new Job();
      jobs.set(id, job);
      return job;
    },
    onRoom: () => (freed += 1),
    onError: ({ id }, error) => errors.push(`${id}: ${(error as Error).message}`),
  });
  return { work, asked, jobs, errors, freed: () => freed };
}

const claim = (id: string): Claim => ({ id, claim: 1 });

describe('Leased work', () => {
  it('asks for as much as there is room for', async () => {
    const { work, asked, jobs, freed } = leasedWork(4, [{ items: [claim('a'), claim('b')] }]);
    await work.take();
    expect([work.size, work.hasRoom]).toEqual([2, true]);
    await work.take();
    expect(asked).toEqual([
      { room: 4, share: 3 },
      { room: 2, share: 3 },
    ]);
    jobs.get('a')!.end();
    jobs.get('b')!.end();
    await work.ended();
    // Nothing was left waiting, so nobody is told that there is room.
    expect([work.size, freed()]).toEqual([0, 0]);
  });

  it.each<[string, Partial<Claimed<Claim>>]>([
    ['filled all places', { items: [claim('a'), claim('b')] }],
    ['passed something over', { items: [claim('a')], passedOver: true }],
    ['came too late for something', { items: [claim('a')], missed: true }],
  ])('tells that there is room when something ends after a claim that %s', async (_, claimed) => {
    const { work, jobs, freed } = leasedWork(2, [claimed]);
    await work.take();
    jobs.get('a')!.end();
    await new Promise((done) => setImmediate(done));
    expect(freed()).toBe(1);
  });

  it('tells so when something ends during a claim, which may not count on that place', async () => {
    const later = new Promise<Partial<Claimed<Claim>>>((done) => setTimeout(() => done({}), 5));
    const { work, jobs, freed } = leasedWork(3, [{ items: [claim('a')] }, later]);
    await work.take();
    const taking = work.take();
    jobs.get('a')!.end();
    await taking;
    expect(freed()).toBe(1);
  });

  it('asks again where others were quicker, but not for ever', async () => {
    const { work } = leasedWork(
      1,
      Array.from({ length: 6 }, () => ({ missed: true })),
    );
    const again = [];
    for (let count = 0; count < 6; count++) again.push((await work.take()).again);
    expect(again).toEqual([true, true, true, true, false, true]);
  });

  it('tells work whose lease is not renewed, and gives the others what their rows say', async () => {
    const { work, jobs } = leasedWork(3, [{ items: [claim('a'), claim('b'), claim('c')] }]);
    await work.take();
    await work.renew((claims) => {
      // It ends while the statement is under way.
      jobs.get('c')!.end();
      expect(claims.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
      return new Promise((done) => setTimeout(() => done([{ id: 'a', cancel: true }]), 1));
    });
    expect(['a', 'b', 'c'].map((id) => jobs.get(id)!.isLost)).toEqual([false, true, false]);
    expect(jobs.get('a')!.cancelled).toBe(true);
  });

  describe('for a single place', () => {
    const taken = (...items: Claim[]): Promise<Claimed<Claim>> =>
      Promise.resolve({ items, missed: false, passedOver: false });
    const eventLoop = (): Promise<void> => new Promise((done) => setImmediate(done));

    it('takes it before the claim is made, and keeps it for what was claimed', async () => {
      const { work, asked, jobs } = leasedWork(2, []);
      const taking = work.takeOne((places) => {
        expect(places).toEqual({ room: 1, share: 1 });
        return taken(claim('a'));
      });
      await work.take();
      expect(asked).toEqual([{ room: 1, share: 1 }]);
      expect(await taking).toEqual([claim('a')]);
      expect([work.size, [...jobs.keys()]]).toEqual([1, ['a']]);
    });

    it('is over before another claim counts who has how many places', async () => {
      const { work, asked } = leasedWork(3, []);
      let written = false;
      void work.takeOne(() => eventLoop().then(() => ((written = true), taken(claim('a')))));
      const taking = work.take();
      expect(asked).toEqual([]);
      await taking;
      expect([written, asked]).toEqual([true, [{ room: 2, share: 2 }]]);
    });

    it('claims nothing where there is none, or where something may be waiting for it', async () => {
      const { work, jobs } = leasedWork(1, [{ items: [] }, { passedOver: true }]);
      expect(await work.takeOne(() => taken(claim('a')))).toHaveLength(1);
      expect(await work.takeOne(() => taken(claim('b')))).toBeNull();
      jobs.get('a')!.end();
      await work.ended();
      await work.take();
      expect(await work.takeOne(() => taken())).toEqual([]);
      await work.take();
      expect(await work.takeOne(() => taken(claim('c')))).toBeNull();
    });

    it('tells that there is room again when it was the last one, since others found none meanwhile', async () => {
      const { work, jobs, freed } = leasedWork(1, []);
      await work.takeOne(() => taken(claim('a')));
      jobs.get('a')!.end();
      await eventLoop();
      expect(freed()).toBe(1);
    });

    it('gives it back where the claim fails or takes nothing', async () => {
      const { work, freed } = leasedWork(1, []);
      const failing = work.takeOne(() => Promise.reject(new Error('no database')));
      expect(work.hasRoom).toBe(false);
      await expect(failing).rejects.toThrow('no database');
      await work.takeOne(() => taken());
      expect([work.hasRoom, freed()]).toEqual([true, 2]);
    });

    it('has not ended before what a claim under way takes', async () => {
      const { work, jobs } = leasedWork(1, []);
      let over = false;
      void work.takeOne(() => eventLoop().then(() => taken(claim('a'))));
      const ended = work.ended().then(() => (over = true));
      await eventLoop();
      await eventLoop();
      expect(over).toBe(false);
      jobs.get('a')!.end();
      await ended;
    });

    it('begins what it takes apart from whoever asked', async () => {
      const scope = new AsyncLocalStorage<string>();
      const seen: (string | undefined)[] = [];
      const work = new LeasedWork<Claim, Job, { id: string; cancel?: boolean }>({
        places: 1,
        share: 1,
        claim: () => taken(),
        begin: () => {
          seen.push(scope.getStore());
          return new Job();
        },
        onRoom: () => undefined,
        onError: () => undefined,
      });
      await scope.run('a request', () => work.takeOne(() => taken(claim('a'))));
      expect(seen).toEqual([undefined]);
    });
  });

  it('outlives work that fails', async () => {
    const { work, jobs, errors } = leasedWork(1, [{ items: [claim('a')] }]);
    await work.take();
    jobs.get('a')!.end(new Error('no disk'));
    await work.ended();
    expect([errors, work.hasRoom]).toEqual([['a: no disk'], true]);
  });
});

import { AsyncLocalStorage } from 'node:async_hooks';

import { describe, expect, it } from 'vitest';

import type { Claimed, Places } from './fair-share.js';
import { type Claim, LeasedWork, type Work, type WorkPlace } from './leased-work.js';

class Job implements Work<{ id: string; cancel?: boolean }> {
  isLost = false;
  cancelled = false;
  end!: (error?: Error) => void;
  private readonly done = new Promise<void>((resolve, reject) => {
    this.end = (error) => (error ? reject(error) : resolve());
  });

  place!: WorkPlace;

  carryOut(place: WorkPlace): Promise<void> {
    this.place = place;
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

const claim = (id: string, workspaceId = 'w'): Claim => ({ id, claim: 1, workspaceId });
const eventLoop = (): Promise<void> => new Promise((done) => setImmediate(done));

describe('Leased work', () => {
  it('asks for as much as there is room for', async () => {
    const { work, asked, jobs, freed } = leasedWork(4, [{ items: [claim('a'), claim('b')] }]);
    await work.take();
    expect([work.size, work.hasRoom]).toEqual([2, true]);
    await work.take();
    expect(asked).toEqual([
      { room: 4, share: 3, kept: [] },
      { room: 2, share: 3, kept: [] },
    ]);
    jobs.get('a')!.end();
    jobs.get('b')!.end();
    await work.close();
    // Nothing was left waiting, so nobody is told that there is room.
    expect([work.size, work.hasRoom, freed()]).toEqual([0, false, 0]);
  });

  it('gives the place of what waits to others, and a free one back before anything is claimed', async () => {
    const { work, asked, jobs, freed } = leasedWork(1, [
      { items: [claim('large')] },
      { items: [claim('small')] },
    ]);
    await work.take();
    const { signal } = new AbortController();
    const memory = Promise.withResolvers<void>();
    let over = false;
    const back = jobs
      .get('large')!
      .place.whileAside(memory.promise, signal)
      .then(() => (over = true));
    expect([work.size, work.hasRoom, freed()]).toEqual([0, true, 1]);
    await work.take();
    expect(asked[1]).toMatchObject({ room: 1 });
    memory.resolve();
    await eventLoop();
    expect([over, work.size]).toEqual([false, 1]);
    jobs.get('small')!.end();
    await back;
    expect([work.size, work.hasRoom]).toEqual([1, false]);
    jobs.get('large')!.end();
  });

  it('lets what is over go on without a place, and lets no more wait aside than there are places', async () => {
    const { work, jobs } = leasedWork(1, [
      { items: [claim('a')] },
      { items: [claim('b')] },
      { items: [claim('c')] },
    ]);
    const ended = new AbortController();
    const never = new Promise<void>(() => undefined);
    await work.take();
    const over = jobs
      .get('a')!
      .place.whileAside(new Promise((done) => ended.signal.addEventListener('abort', done)), ended.signal);
    await work.take();
    void jobs.get('b')!.place.whileAside(never, ended.signal);
    expect(work.hasRoom).toBe(false);
    ended.abort();
    await over;
    expect(work.size).toBe(2);
    jobs.get('a')!.end();
    await eventLoop();
    void jobs.get('b')!.place.whileAside(never, ended.signal);
    expect(work.hasRoom).toBe(true);
  });

  it.each<[string, Partial<Claimed<Claim>>]>([
    ['filled all places', { items: [claim('a'), claim('b')] }],
    ['passed something over', { items: [claim('a')], passedOver: true }],
    ['came too late for something', { items: [claim('a')], missed: true }],
  ])('tells that there is room when something ends after a claim that %s', async (_, claimed) => {
    const { work, jobs, freed } = leasedWork(2, [claimed]);
    await work.take();
    jobs.get('a')!.end();
    await eventLoop();
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
      // It ends while the statement is in progress.
      jobs.get('c')!.end();
      expect(claims.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
      return new Promise((done) => setTimeout(() => done([{ id: 'a', cancel: true }]), 1));
    });
    expect(['a', 'b', 'c'].map((id) => jobs.get(id)!.isLost)).toEqual([false, true, false]);
    expect(jobs.get('a')!.cancelled).toBe(true);
  });

  describe('for what is about to be written', () => {
    it('keeps a place, and says whose the others are', async () => {
      const { work, asked, jobs } = leasedWork(4, [{ items: [claim('a', 'v')] }]);
      await work.take();
      expect(work.reserve(claim('b'))).toEqual({ here: ['v', 'w'], share: 3 });
      expect(work.reserve(claim('c', 'x'))).toEqual({ here: ['v', 'w', 'x'], share: 3 });
      work.begin(claim('b'));
      work.begin(claim('c', 'x'));
      expect([work.size, [...jobs.keys()]]).toEqual([3, ['a', 'b', 'c']]);
      await work.take();
      expect(asked.map(({ room }) => room)).toEqual([4, 1]);
    });

    it('claims for the other places meanwhile, and says whose it is for', async () => {
      const { work, asked } = leasedWork(3, []);
      work.reserve(claim('a', 'v'));
      work.reserve(claim('b'));
      await work.take();
      work.begin(claim('a', 'v'));
      work.release('b');
      await work.take();
      expect(asked).toEqual([
        { room: 1, share: 2, kept: ['v', 'w'] },
        { room: 2, share: 2, kept: [] },
      ]);
    });

    it('has no place where none is free, or where something may be waiting for it', async () => {
      const { work, jobs } = leasedWork(1, [{ items: [] }, { passedOver: true }]);
      work.reserve(claim('a'));
      expect(work.reserve(claim('b'))).toBeNull();
      work.begin(claim('a'));
      expect(work.reserve(claim('b'))).toBeNull();
      jobs.get('a')!.end();
      await eventLoop();
      await work.take();
      expect(work.reserve(claim('b'))).not.toBeNull();
      work.release('b');
      const taking = work.take();
      expect(work.reserve(claim('c'))).toBeNull();
      await taking;
      expect(work.reserve(claim('c'))).toBeNull();
    });

    it('tells that there is room again when it was the last one, since others found none meanwhile', async () => {
      const { work, jobs, freed } = leasedWork(1, []);
      work.reserve(claim('a'));
      work.begin(claim('a'));
      jobs.get('a')!.end();
      await eventLoop();
      expect(freed()).toBe(1);
    });

    it('takes a place back once, where nothing has begun', () => {
      const { work, freed } = leasedWork(2, []);
      work.reserve(claim('a'));
      work.begin(claim('a'));
      work.release('a');
      expect([work.size, freed()]).toEqual([1, 0]);
      work.reserve(claim('b'));
      expect(work.hasRoom).toBe(false);
      work.release('b');
      work.release('b');
      expect([work.hasRoom, freed()]).toEqual([true, 1]);
    });

    it('closes after what has a place, and gives no further one', async () => {
      const { work, jobs } = leasedWork(3, []);
      work.reserve(claim('a'));
      let over = false;
      const closing = work.close().then(() => (over = true));
      expect(work.reserve(claim('b'))).toBeNull();
      await eventLoop();
      work.begin(claim('a'));
      await eventLoop();
      expect(over).toBe(false);
      jobs.get('a')!.end();
      await closing;
    });

    it('begins it apart from whoever asked', () => {
      const scope = new AsyncLocalStorage<string>();
      const seen: (string | undefined)[] = [];
      const work = new LeasedWork<Claim, Job, { id: string; cancel?: boolean }>({
        places: 1,
        share: 1,
        claim: () => Promise.reject(new Error('is not asked')),
        begin: () => {
          seen.push(scope.getStore());
          return new Job();
        },
        onRoom: () => undefined,
        onError: () => undefined,
      });
      scope.run('a request', () => work.begin(claim('a')));
      expect(seen).toEqual([undefined]);
    });
  });

  it('outlives work that fails', async () => {
    const { work, jobs, errors } = leasedWork(1, [{ items: [claim('a')] }]);
    await work.take();
    jobs.get('a')!.end(new Error('no disk'));
    await eventLoop();
    expect([errors, work.hasRoom]).toEqual([['a: no disk'], true]);
  });
});

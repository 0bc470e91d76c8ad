import { describe, expect, it } from 'vitest';

import type { AttemptOutcome } from './attempt.js';
import type { DeliverySender } from './delivery-sender.js';
import { BATCH, type DueDelivery } from './due.sql.js';
import { EndpointDrain } from './endpoint-drain.js';
import type { EndpointLeases, TakenBatch } from './endpoint-leases.js';
import type { OutcomeWriter } from './outcome-writer.js';
import { SendPermits } from './send-permits.js';

const settled = (): Promise<void> => new Promise((done) => setImmediate(done));

function batchOf(first: number, count = 1): TakenBatch {
  const deliveries = Array.from({ length: count }, (_, n) => ({
    id: `msg_${first + n}`,
    number: 1,
    createdAt: new Date(),
  }));
  return {
    owner: 'a',
    target: { url: 'https://localhost/', keys: [] },
    consecutiveFailures: 0,
    deliveries: deliveries as DueDelivery[],
  };
}

/** A drain whose database and receiver do what the test says. */
class Bench {
  readonly drain = new EndpointDrain('whe_1', {
    leases: {
      take: (_: string, held: string[]) => this.later(this.takes, held),
      release: (endpointId: string) => this.later(this.releases, endpointId),
    } as unknown as EndpointLeases,
    sender: {
      send: (_: unknown, { id }: { id: string }) => this.later(this.sends, id),
    } as unknown as DeliverySender,
    writer: {
      write: ({ deliveryId }: { deliveryId: string }) => this.later(this.writes, deliveryId),
    } as unknown as OutcomeWriter,
    permits: new SendPermits(),
  });
  isOver = false;
  readonly takes: Waiting<string[], TakenBatch | null>[] = [];
  readonly sends: Waiting<string, AttemptOutcome>[] = [];
  readonly writes: Waiting<string, void>[] = [];
  readonly releases: Waiting<string, void>[] = [];

  constructor() {
    void this.drain.run().then(() => (this.isOver = true));
  }

  async take(batch: TakenBatch | null): Promise<void> {
    this.takes.shift()!.resolve(batch);
    await settled();
  }

  /** Ends all attempts in progress. */
  async respond(status = 200): Promise<void> {
    const outcome = { ok: status < 300, status } as AttemptOutcome;
    for (const { resolve } of this.sends.splice(0)) resolve(outcome);
    await settled();
  }

  /** Writes all outcomes that wait. */
  async write(): Promise<void> {
    for (const { resolve } of this.writes.splice(0)) resolve();
    await settled();
  }

  async release(): Promise<void> {
    this.releases.shift()!.resolve();
    await settled();
  }

  private later<Asked, Result>(waiting: Waiting<Asked, Result>[], asked: Asked): Promise<Result> {
    return new Promise((resolve) => waiting.push({ asked, resolve }));
  }
}

interface Waiting<Asked, Result> {
  asked: Asked;
  resolve: (result: Result) => void;
}

describe('The drain of an endpoint', () => {
  it('takes, sends and records, and gives up the lease once all is recorded', async () => {
    const bench = new Bench();
    await bench.take(batchOf(1, 2));
    expect(bench.sends.map(({ asked }) => asked)).toEqual(['msg_1', 'msg_2']);
    await bench.respond();
    expect(bench.releases).toHaveLength(0);
    await bench.write();
    expect([bench.isOver, bench.takes.length]).toEqual([false, 0]);
    await bench.release();
    expect([bench.isOver, bench.drain.attempted]).toEqual([true, 2]);
  });

  it('is over at once where nothing is due', async () => {
    const bench = new Bench();
    await bench.take(null);
    expect([bench.isOver, bench.drain.attempted, bench.releases.length]).toEqual([true, 0, 0]);
  });

  it('takes the next ones while the last ones are sent, where there may be more', async () => {
    const bench = new Bench();
    await bench.take(batchOf(1, BATCH));
    while (bench.takes.length === 0) await bench.respond();
    expect(bench.drain.attempted).toBeLessThan(BATCH);
    expect(bench.takes[0]!.asked).toHaveLength(BATCH);
  });

  it('loses no wake while it takes, or while it sends', async () => {
    const bench = new Bench();
    bench.drain.wake();
    await bench.take(batchOf(1));
    expect(bench.takes).toHaveLength(1);
    await bench.take(null);
    bench.drain.wake();
    await settled();
    expect(bench.takes.map(({ asked }) => asked)).toEqual([['msg_1']]);
    await bench.respond();
    await bench.write();
    expect([bench.isOver, bench.releases.length]).toEqual([false, 0]);
  });

  it('takes nothing while the lease is given up, and then what it was woken for', async () => {
    const bench = new Bench();
    await bench.take(batchOf(1));
    await bench.respond();
    await bench.write();
    bench.drain.wake();
    await settled();
    expect(bench.takes).toHaveLength(0);
    await bench.release();
    expect([bench.takes.length, bench.isOver]).toEqual([1, false]);
  });

  it('stops for good, once what is in progress is recorded', async () => {
    const bench = new Bench();
    await bench.take(batchOf(1, 10));
    const underWay = bench.sends.length;
    expect(underWay).toBeLessThan(10);
    bench.drain.stop();
    bench.drain.wake();
    await bench.respond();
    expect([bench.sends.length, bench.isOver]).toEqual([0, false]);
    await bench.write();
    await bench.release();
    bench.drain.wake();
    expect([bench.isOver, bench.drain.attempted, bench.takes.length]).toEqual([true, underWay, 0]);
  });

  it('is not over before a take is, which may have brought the lease', async () => {
    const bench = new Bench();
    bench.drain.stop();
    await settled();
    expect(bench.isOver).toBe(false);
    await bench.take(batchOf(1));
    expect([bench.sends.length, bench.releases.length]).toEqual([0, 1]);
    await bench.release();
    expect(bench.isOver).toBe(true);
  });

  it('sends nothing that was taken before the endpoint changed', async () => {
    const bench = new Bench();
    bench.drain.reload();
    await bench.take(batchOf(1));
    expect([bench.sends.length, bench.takes.length]).toEqual([0, 1]);
    expect(bench.takes[0]!.asked).toEqual([]);
  });

  it('begins no attempt that could be one failure too many, and then asks what the endpoint is', async () => {
    const bench = new Bench();
    await bench.take(batchOf(1, 40));
    while (bench.sends.length > 0) await bench.respond(500);
    expect(bench.drain.attempted).toBe(20);
    await bench.write();
    expect(bench.takes.map(({ asked }) => asked)).toEqual([[]]);
  });
});

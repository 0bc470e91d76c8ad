import { describe, expect, it } from 'vitest';

import type { AttemptOutcome, RecordedAttempt } from './attempt.js';
import type { DeliverySender } from './delivery-sender.js';
import { BATCH, type DueDelivery } from './due.sql.js';
import { EndpointDrain } from './endpoint-drain.js';
import type { EndpointLeases, TakenBatch } from './endpoint-leases.js';
import type { LeaseHolder, OutcomeWriter } from './outcome-writer.js';
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
      release: () => {
        this.released += 1;
        return Promise.resolve();
      },
    } as unknown as EndpointLeases,
    sender: {
      send: (_: unknown, { id }: { id: string }) => this.later(this.sends, id),
    } as unknown as DeliverySender,
    writer: {
      write: (_: RecordedAttempt, holder: LeaseHolder) => this.later(this.writes, holder),
    } as unknown as OutcomeWriter,
    permits: new SendPermits(),
  });
  released = 0;
  isOver = false;
  readonly takes: Waiting<string[], TakenBatch | null>[] = [];
  readonly sends: Waiting<string, AttemptOutcome>[] = [];
  readonly writes: Waiting<LeaseHolder, boolean>[] = [];

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

  /** Writes all outcomes that wait; `during` happens while the statement is in progress. Resolves with whether the lease ended. */
  async write(during: () => void = () => undefined): Promise<boolean> {
    const written = this.writes.splice(0);
    const released = written[0]!.asked.mayRelease(written.length);
    during();
    await settled();
    for (const { resolve } of written) resolve(released);
    await settled();
    return released;
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
  it('takes, sends and records, and gives up the lease with the last outcomes', async () => {
    const bench = new Bench();
    await bench.take(batchOf(1, 2));
    expect(bench.sends.map(({ asked }) => asked)).toEqual(['msg_1', 'msg_2']);
    await bench.respond();
    expect(await bench.write()).toBe(true);
    expect([bench.isOver, bench.drain.attempted, bench.takes.length, bench.released]).toEqual([
      true,
      2,
      0,
      0,
    ]);
  });

  it('is over at once where nothing is due', async () => {
    const bench = new Bench();
    await bench.take(null);
    expect([bench.isOver, bench.drain.attempted, bench.released]).toEqual([true, 0, 0]);
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
    expect(await bench.write()).toBe(false);
  });

  it('takes nothing while the lease is given up, and then what it was woken for', async () => {
    const bench = new Bench();
    await bench.take(batchOf(1));
    await bench.respond();
    const released = await bench.write(() => {
      bench.drain.wake();
      expect(bench.takes).toHaveLength(0);
    });
    expect([released, bench.takes.length, bench.isOver]).toEqual([true, 1, false]);
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
    expect(await bench.write()).toBe(true);
    expect([bench.isOver, bench.drain.attempted, bench.drain.isDue]).toEqual([true, underWay, false]);
  });

  it('is not over before a take is, which may have brought the lease', async () => {
    const bench = new Bench();
    bench.drain.stop();
    await settled();
    expect(bench.isOver).toBe(false);
    await bench.take(batchOf(1));
    expect([bench.isOver, bench.sends.length, bench.released]).toEqual([true, 0, 1]);
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
    expect(await bench.write()).toBe(false);
    expect(bench.takes.map(({ asked }) => asked)).toEqual([[]]);
  });
});

import { setTimeout as sleep } from 'node:timers/promises';

interface BatcherOptions {
  /** Items of one batch. */
  most: number;
  /** Batches in progress at a time. */
  atOnce: number;
  /** How long items wait for others, in ms; by default until the end of the turn. */
  gatherMs?: number;
}

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/** Gathers what is asked for at about the same time, so that one statement does for all of it. */
export class Batcher<Item, Result = void> {
  private waiting: Waiting<Item, Result>[] = [];
  private underWay = 0;

  /** @param work returns a result for each item, in their order, if any. Where it throws, each item's promise rejects */
  constructor(
    private readonly work: (items: Item[]) => Promise<Result[] | void>,
    private readonly options: BatcherOptions,
  ) {}

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      if (this.underWay < this.options.atOnce) void this.workAll();
    });
  }

  private async workAll(): Promise<void> {
    const { most, gatherMs } = this.options;
    this.underWay += 1;
    do {
      if (gatherMs !== undefined && this.waiting.length < most) await sleep(gatherMs);
      else await Promise.resolve();
      const batch = this.waiting.splice(0, most);
      if (batch.length > 0) await this.workOn(batch);
    } while (this.waiting.length > 0);
    this.underWay -= 1;
  }

  private async workOn(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.work(batch.map(({ item }) => item));
      for (const [place, { resolve }] of batch.entries()) resolve(results?.[place] as Result);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}

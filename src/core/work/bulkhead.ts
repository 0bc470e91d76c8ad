import { Logger } from '@nestjs/common';

import { isDatabaseAway } from '../database/index.js';
import { errorText } from '../errors/index.js';

/** Until an item is tried again after each failure. After the last one it is set aside, and tried again that late. */
const WAITS_MS = [10_000, 300_000, 3_600_000];
/** More that fail are forgotten, the oldest first, and count as new. */
const MOST_KNOWN = 1_000;

interface Failure {
  count: number;
  /** It is not tried before, by this process's clock. */
  until: number;
}

/**
 * Lets a loop go on behind an item that fails, such as a row of one workspace among those of others. It is tried again a little
 * later, and set aside after the third failure. Each process counts for itself, from the start on.
 *
 * @example
 * private readonly bulkhead = new Bulkhead('note', (id) => this.drop(id));
 * await this.bulkhead.each(await this.nextIds(this.bulkhead.waiting), (id) => this.workOff(id));
 */
export class Bulkhead {
  private readonly logger = new Logger('Bulkhead');
  private readonly failures = new Map<string, Failure>();

  /**
   * @param noun what an item is, for the log
   * @param setAside what is done with one that has failed for the last time. Default: it is left alone for an hour.
   */
  constructor(
    private readonly noun: string,
    private readonly setAside?: (id: string) => Promise<void>,
  ) {}

  /** Those that are not tried just now: a statement that looks for the next ones leaves them out. */
  get waiting(): string[] {
    const now = performance.now();
    return [...this.failures].flatMap(([id, { until }]) => (until > now ? [id] : []));
  }

  /**
   * Does the work of one after the other, except of those that wait.
   *
   * @throws where the database is away, which is no item's doing
   */
  async each(ids: readonly string[], work: (id: string) => Promise<unknown>): Promise<void> {
    const waiting = new Set(this.waiting);
    for (const id of ids) {
      if (waiting.has(id)) continue;
      try {
        await work(id);
        this.failures.delete(id);
      } catch (error) {
        if (isDatabaseAway(error)) throw error;
        await this.failed(id, error);
      }
    }
  }

  private async failed(id: string, error: unknown): Promise<void> {
    const count = Math.min((this.failures.get(id)?.count ?? 0) + 1, WAITS_MS.length);
    const isLast = count === WAITS_MS.length;
    const next = isLast ? 'it is set aside' : `the next in ${WAITS_MS[count - 1]! / 1000} s`;
    const tries = `attempt ${count} of ${WAITS_MS.length}, ${next}`;
    this.logger.error(`The ${this.noun} ${id} failed (${tries}): ${errorText(error)}`);
    this.failures.delete(id);
    this.failures.set(id, { count, until: performance.now() + WAITS_MS[count - 1]! });
    if (this.failures.size > MOST_KNOWN) this.failures.delete(this.failures.keys().next().value!);
    if (isLast) await this.setAside?.(id);
  }
}

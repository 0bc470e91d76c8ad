import { Loops } from '../../../src/core/work/loops.js';
import type { ServiceDatabase } from '../service-database.js';
import { moveDate } from './moved-date.js';
import { MOVE, SECONDS_OF } from './movable-clock.sql.js';

/**
 * The clock of a service of a test: it runs, and can be moved ahead. To the service, it is as if its machine had slept: what
 * became due meanwhile is due at once, and once.
 *
 * Each service has its own in its database. `Date` is the process's, and is as far ahead as the service that was moved
 * farthest. Timers, other processes (scripts, servers elsewhere) and the keyword `CURRENT_TIMESTAMP` are not moved.
 */
export class TestClock {
  /** @internal */
  constructor(
    private readonly database: ServiceDatabase,
    private readonly loops: Pick<Loops, 'passAllNow'>,
  ) {}

  /** The moment by the service's database. */
  async now(): Promise<Date> {
    const { rows } = await this.database.query<{ now: Date }>('SELECT clock_timestamp() AS now');
    return rows[0]!.now;
  }

  /**
   * Moves it ahead, and has every loop of the service pass. Resolves once those passes are over: what expired has, and
   * schedules that became due were fired where `runsScripts` starts a worker.
   *
   * @param interval as PostgreSQL reads intervals, such as `1 day` or `2 hours 30 minutes`; a month is 30 days
   * @throws Error for what is no interval, or leads back
   * @example
   * ```ts
   * await gatehouse.clock.forward('1 day');
   * await gatehouse.waitFor('tickets.overdue');
   * ```
   */
  async forward(interval: string): Promise<void> {
    const { rows } = await this.database.query<{ seconds: number }>(SECONDS_OF, [interval]);
    await this.move(rows[0]!.seconds);
  }

  /**
   * Moves it ahead to a moment, as `forward` does.
   *
   * @throws Error for a moment that has passed
   * @example
   * ```ts
   * await gatehouse.clock.forwardTo(new Date(schedule.nextRunAt));
   * ```
   */
  async forwardTo(moment: Date): Promise<void> {
    await this.move((moment.getTime() - (await this.now()).getTime()) / 1000);
  }

  private async move(seconds: number): Promise<void> {
    // NaN, of a moment that is none, as well.
    if (!(seconds >= 0)) throw new Error(`The clock is moved ahead only, not by ${seconds} seconds.`);
    const { rows } = await this.database.query<{ ms: number }>(MOVE, [seconds]);
    moveDate(this, rows[0]!.ms);
    await this.loops.passAllNow();
  }
}

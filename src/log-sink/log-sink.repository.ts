import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThanOrEqual, type Repository } from 'typeorm';

import { Database } from '../core/database/index.js';
import { deleteOldest, type Expired, Expires } from '../core/work/index.js';
import { LogSinkEntry } from './log-sink-entry.entity.js';
import { LogSink } from './log-sink.entity.js';
import { HOLD_SINK, NEXT_ENTRIES, NUMBER_ENTRIES } from './log-sink.sql.js';
import type { SinkEntry } from './sinks/sink.js';

const DAY_MS = 86_400_000;
/** What nobody has taken for so long is given up. It has its number by then, so that the receiver sees the gap. */
const KEPT_MS = 30 * DAY_MS;

@Injectable()
export class LogSinkRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(LogSink) private readonly sinks: Repository<LogSink>,
    @InjectRepository(LogSinkEntry) private readonly entries: Repository<LogSinkEntry>,
  ) {}

  /** Takes or renews the lease, and has entries collected from then on. False: another process sends. */
  async hold(workerId: string): Promise<boolean> {
    return (await this.database.execute(HOLD_SINK, [workerId])).count === 1;
  }

  /** Lets another process go on at once. */
  async release(workerId: string): Promise<void> {
    await this.sinks.update({ workerId }, { workerId: null });
  }

  /** Part of a transaction. */
  async add(ids: readonly string[]): Promise<void> {
    const rows = ids.map((id) => ({ id }));
    await this.entries.createQueryBuilder().insert().values(rows).orIgnore().updateEntity(false).execute();
  }

  /** Gives the next entries their numbers, whichever process does it. */
  async number(most: number): Promise<void> {
    await this.database.transaction(async () => {
      // A statement of its own: the next one then sees what another process has numbered.
      await this.sinks.findOne({ where: { id: 'sink' }, lock: { mode: 'pessimistic_write' } });
      await this.database.execute(NUMBER_ENTRIES, [most]);
    });
  }

  /** Those with the lowest numbers, in order. */
  next(most: number): Promise<SinkEntry[]> {
    return this.database.query<SinkEntry>(NEXT_ENTRIES, [most]);
  }

  /** They were taken, up to that number. */
  async forget(number: number): Promise<void> {
    await this.entries.delete({ number: LessThanOrEqual(number) });
  }

  @Expires({ after: KEPT_MS })
  deleteOld(expired: Expired): Promise<number> {
    return deleteOldest(this.entries, 'createdAt', expired);
  }
}

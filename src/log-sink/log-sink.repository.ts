import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, LessThanOrEqual, Not, type Repository } from 'typeorm';

import { Database, inSeconds, isPast } from '../core/database/index.js';
import { deleteOldest, type Expired, Expires } from '../core/work/index.js';
import { LogSinkEntry } from './log-sink-entry.entity.js';
import { LogSink } from './log-sink.entity.js';
import { NUMBER_ENTRIES } from './log-sink.sql.js';
import type { NumberedEntry } from './sink-record.js';

const DAY_MS = 86_400_000;
/** The one row. */
const SINK = 'sink';
/** For how long entries are collected after the last process with the setting has ended. */
const WANTED_SECONDS = 7 * 86_400;
const LEASE_SECONDS = 30;
/** What nobody has taken for so long is given up. It has its number by then, so that the receiver sees the gap. */
const KEPT_MS = 30 * DAY_MS;

@Injectable()
export class LogSinkRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(LogSink) private readonly sinks: Repository<LogSink>,
    @InjectRepository(LogSinkEntry) private readonly entries: Repository<LogSinkEntry>,
  ) {}

  /**
   * Takes or renews the lease, and has entries collected from then on. False: another process sends. Two that send for a moment
   * send the same numbers twice, which a receiver sees; so the lease needs no fence.
   */
  async hold(workerId: string): Promise<boolean> {
    const where = [{ workerId }, { workerId: IsNull() }, { leaseUntil: isPast() }];
    const { raw } = await this.sinks
      .createQueryBuilder()
      .insert()
      .values({
        id: SINK,
        workerId,
        wantedUntil: inSeconds(WANTED_SECONDS),
        leaseUntil: inSeconds(LEASE_SECONDS),
      })
      .orUpdate(['worker_id', 'wanted_until', 'lease_until'], ['id'], { overwriteCondition: { where } })
      .returning('id')
      .updateEntity(false)
      .execute();
    return (raw as unknown[]).length === 1;
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
      await this.sinks.findOne({ where: { id: SINK }, lock: { mode: 'pessimistic_write' } });
      await this.database.execute(NUMBER_ENTRIES, [most]);
    });
  }

  /** Those with the lowest numbers, in order. */
  next(most: number): Promise<NumberedEntry[]> {
    return this.entries
      .createQueryBuilder('e')
      .leftJoinAndMapOne('e.audit', 'AuditEvent', 'a', 'a.id = e.id')
      .leftJoinAndMapOne('e.runEnd', 'OutboxEvent', 'v', 'v.id = e.id')
      .where({ number: Not(IsNull()) })
      .orderBy('e.number')
      .limit(most)
      .getMany() as Promise<NumberedEntry[]>;
  }

  /** Seconds for which the oldest entry has waited to be taken; 0: none waits. */
  async lag(): Promise<number> {
    const oldest = await this.entries
      .createQueryBuilder('e')
      .select('coalesce(extract(epoch FROM now() - min(e.createdAt)), 0)::float8', 'seconds')
      .getRawOne<{ seconds: number }>();
    return Math.max(0, oldest!.seconds);
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

import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import {
  type Claimed,
  claimedOf,
  InstanceHeartbeat,
  LEASE_IS_LOST,
  type Places,
  Waker,
} from '../../core/work/index.js';
import { newId } from '../../core/crypto/index.js';
import { arraysOf, Database, NOW } from '../../core/database/index.js';
import { Outbox } from '../../core/outbox/index.js';
import { RETRY } from '../attempts/run-attempts.sql.js';
import { RunMetrics } from '../run-metrics.js';
import { Run } from '../run.entity.js';
import type { Labels, Retry } from '../../scripts/index.js';
import { UsageService } from '../../usage/index.js';
import type { LogChange } from '../output/log-collector.js';
import type { RunOutcome } from '../run.status.js';
import { CLAIM_RUNS, CLAIM_TAGGED_RUNS } from './claim-runs.sql.js';
import type { Claim, ClaimedRun } from './claimed-run.js';
import type { EndedRun, LiveState, RunEnd } from './run-end.js';
import { RUN_TURNS } from '../turns/run-turn.rules.js';
import { AGAIN } from '../turns/run-turns.sql.js';
import { ABANDONED, DROP_LINES, FINISH, RENEW, WRITE } from './run-execution.sql.js';

type Freed = Pick<Run, 'concurrencyKey'>;

export interface Renewal extends Claim {
  cancelRequested: boolean;
}

export type LostRun = Claim &
  Pick<RunEnd, 'progress' | 'progressMessage' | 'durationMs'> & {
    logLines: number;
    attempt: number;
    retry: Retry | null;
  };

/**
 * What a worker reads and writes of the runs that it carries out. Every statement names the claim, and changes nothing if
 * the run has been taken from the worker meanwhile.
 */
@Injectable()
export class RunExecutionRepository {
  constructor(
    @InjectRepository(Run) private readonly rows: Repository<Run>,
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly metrics: RunMetrics,
    private readonly instance: InstanceHeartbeat,
    private readonly usage: UsageService,
    private readonly waker: Waker,
  ) {}

  /**
   * Takes runs, fairly between workspaces. Those that need no preparation begin in the same statement: they have no
   * files, and their version is unpacked already.
   */
  async claim(
    { room, share, kept }: Places,
    unpacked: string[],
    tags: string[],
  ): Promise<Claimed<ClaimedRun>> {
    const isTagged = tags.length > 0;
    const given = [this.instance.id, room, unpacked, share, kept, ...(isTagged ? [tags] : [])];
    return claimedOf(await this.database.query(isTagged ? CLAIM_TAGGED_RUNS : CLAIM_RUNS, given));
  }

  /** Committed before the command is started. null: the run is not ours any more. */
  async begin({ id, claim }: Claim): Promise<{ cancelRequested: boolean } | null> {
    const { raw } = await this.rows
      .createQueryBuilder()
      .update()
      .set({ phase: 'executing', executionStartedAt: NOW })
      .where({ id, claim, phase: 'starting' })
      .returning('cancel_requested_at IS NOT NULL AS "cancelRequested"')
      .execute();
    return (raw as { cancelRequested: boolean }[])[0] ?? null;
  }

  /** Extends the leases of the runs that are still ours, and returns these. Runs of a deleted workspace are cancelled. */
  renew(claims: Claim[]): Promise<Renewal[]> {
    return this.database.query<Renewal>(RENEW, arraysOf(claims, 'id', 'claim'));
  }

  async write({ id, claim }: Claim, { log, progress, progressMessage, labels }: LiveState): Promise<void> {
    const parameters = [
      id,
      claim,
      log.count,
      JSON.stringify(log.chunks),
      progress,
      progressMessage,
      jsonOf(labels),
    ];
    await this.keeping(id, log, () => this.database.one<object>(WRITE, parameters));
  }

  /** Counts lines of the log that were not written here. False: the run is not ours any more. Nobody takes it until the transaction ends. */
  async reach({ id, claim }: Claim, lines: number): Promise<boolean> {
    const { affected } = await this.rows
      .createQueryBuilder()
      .update()
      .set({ logLines: () => `GREATEST(log_lines, ${lines})` })
      .where({ id, claim, phase: 'executing' })
      .execute();
    return affected === 1;
  }

  /** Writes the end with the last lines, the event and the counts. null: the run is not ours any more, nothing is written. */
  async finish({ id, claim }: Claim, end: RunEnd): Promise<EndedRun | null> {
    const { log, ...fields } = end;
    const statement = FINISH({
      ...fields,
      id,
      claim,
      eventId: newId('event'),
      network: JSON.stringify(end.network),
      labels: jsonOf(end.labels),
      logLines: log.count,
      chunks: JSON.stringify(log.chunks),
    });
    const ended = await this.keeping(id, log, () => this.database.one<EndedRun>(...statement));
    this.outbox.wake();
    if (!ended) return null;
    this.freed(ended);
    const outcome = ended.status as RunOutcome;
    if (!ended.plan)
      this.database.afterCommit(() => this.metrics.ended(outcome, end.durationMs, end.network));
    return ended;
  }

  /**
   * Has a run wait for its next attempt. False: it is cancelled, or not ours any more, or its workspace's plan does not allow
   * another one, and nothing was written.
   */
  async retry({ id, claim }: Claim, end: RunEnd, delay: number): Promise<boolean> {
    const { log, error, durationMs, network, traceparent, labels } = end;
    const statement = RETRY({
      ...{ id, claim, error, durationMs, traceparent, delay },
      ...this.usage.runLimits(),
      eventId: newId('event'),
      network: JSON.stringify(network),
      labels: jsonOf(labels),
      logLines: log.count,
      chunks: JSON.stringify(log.chunks),
    });
    const retried = await this.keeping(id, log, () => this.database.one<Freed>(...statement));
    if (!retried) return false;
    this.outbox.wake();
    this.freed(retried);
    return true;
  }

  /** A run has left its place to those that share it. */
  private freed({ concurrencyKey }: Freed): void {
    if (concurrencyKey !== null) this.waker.wake(RUN_TURNS, [concurrencyKey]);
  }

  /** Removes what the log does not keep any longer, together with what is written of it. */
  private keeping<T>(id: string, { dropped }: LogChange, write: () => Promise<T | null>): Promise<T | null> {
    if (!dropped) return write();
    return this.database.transaction(async () => {
      const written = await write();
      if (written) await this.database.execute(DROP_LINES, [id, dropped.from, dropped.to]);
      return written;
    });
  }

  /** Queues runs again that were taken and not begun by workers that have died. In a queue, which may be paused now, they wait once more. */
  async requeueAbandoned(): Promise<number> {
    const update = this.rows.createQueryBuilder().update();
    const { affected } = await update
      .set({ phase: () => AGAIN, workerId: null, leaseUntil: null })
      .where(`id IN (${ABANDONED})`)
      .execute();
    return affected!;
  }

  /** Runs whose worker died while they executed. They may have done some of their work, so they are repeated only where their `retry` says so. */
  lostRuns(except: readonly string[]): Promise<LostRun[]> {
    return this.rows
      .createQueryBuilder('r')
      .select('r.id', 'id')
      .addSelect('r.claim', 'claim')
      .addSelect('r.progress', 'progress')
      .addSelect('r.progressMessage', 'progressMessage')
      .addSelect('r.logLines', 'logLines')
      .addSelect('r.attempt', 'attempt')
      .addSelect('COALESCE(r.retry, v.retry)', 'retry')
      .innerJoin('ScriptVersion', 'v', 'v.id = r.versionId')
      .addSelect('(extract(epoch FROM now() - r.executionStartedAt) * 1000)::int', 'durationMs')
      .where(`r.phase = 'executing'`)
      .andWhere(`r.${LEASE_IS_LOST}`)
      .andWhere('r.id <> ALL(:except)', { except })
      .limit(500)
      .getRawMany<LostRun>();
  }
}

const jsonOf = (labels: Labels | null): string | null => labels && JSON.stringify(labels);

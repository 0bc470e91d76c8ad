import { Injectable } from '@nestjs/common';

import type { HostUsage } from '../../../libs/egress/index.js';
import {
  type Claimed,
  claimedOf,
  InstanceHeartbeat,
  LEASE,
  LEASE_IS_LOST,
  type Places,
} from '../../core/work/index.js';
import { newId } from '../../core/crypto/index.js';
import { columns, Database, named } from '../../core/database/index.js';
import { Outbox } from '../../core/outbox/index.js';
import { countRunSeconds } from '../../usage/index.js';
import { countEndedRun } from '../../scripts/index.js';
import { RunMetrics } from '../run-metrics.js';
import { insertRunEvent } from '../insert-run-event.sql.js';
import { RUN_COLUMNS, type RunRow } from '../run-columns.js';
import { Run } from '../run.entity.js';
import type { LogChange } from '../output/log-collector.js';
import type { RunOutcome } from '../run.status.js';
import { CLAIM_RUNS } from './claim-runs.sql.js';
import type { Claim, ClaimedRun } from './claimed-run.js';

export interface Renewal extends Claim {
  cancelRequested: boolean;
}

/** What a worker has learned while the command runs. */
export interface LiveState {
  log: LogChange;
  progress: number | null;
  progressMessage: string | null;
}

export interface RunEnd extends LiveState {
  outcome: RunOutcome;
  /** As JSON text; null for none. */
  output: string | null;
  error: string | null;
  /** null: its command never began. */
  durationMs: number | null;
  /** How much went through the gate, by host. */
  network: HostUsage[];
  /** Where its worker's part of the trace begins; null: it has none. */
  traceparent: string | null;
}

/** The row of a run whose end was written. */
export type EndedRun = Omit<RunRow, 'environment'>;

export type LostRun = Claim &
  Pick<RunEnd, 'progress' | 'progressMessage' | 'durationMs'> & { logLines: number };

/**
 * What a worker reads and writes of the runs that it carries out. Every statement names the claim, and changes nothing if
 * the run has been taken from the worker meanwhile.
 */
@Injectable()
export class RunExecutionRepository {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly metrics: RunMetrics,
    private readonly instance: InstanceHeartbeat,
  ) {}

  /**
   * Takes runs, fairly between workspaces. Those that need no preparation begin in the same statement: they have no
   * files, and their version is unpacked already.
   */
  async claim({ room, share }: Places, unpacked: string[]): Promise<Claimed<ClaimedRun>> {
    return claimedOf(await this.database.query(CLAIM_RUNS, [this.instance.id, room, unpacked, share]));
  }

  /** Committed before the command is started. null: the run is not ours any more. */
  begin({ id, claim }: Claim): Promise<{ cancelRequested: boolean } | null> {
    return this.database.one(
      `UPDATE runs SET phase = 'executing', execution_started_at = now()
       WHERE id = $1 AND claim = $2 AND phase = 'starting'
       RETURNING cancel_requested_at IS NOT NULL AS "cancelRequested"`,
      [id, claim],
    );
  }

  /** Extends the leases of the runs that are still ours, and returns these. Runs of a deleted workspace are cancelled. */
  renew(claims: Claim[]): Promise<Renewal[]> {
    return this.database.query<Renewal>(
      `UPDATE runs r SET lease_until = now() + ${LEASE},
         cancel_requested_at = CASE WHEN w.deleted_at IS NULL THEN r.cancel_requested_at
                                    ELSE COALESCE(r.cancel_requested_at, now()) END
       FROM unnest($1::text[], $2::int[]) AS mine(id, claim), workspaces w
       WHERE r.id = mine.id AND r.claim = mine.claim AND r.phase IN ('starting', 'executing')
         AND w.id = r.workspace_id
       RETURNING r.id, r.claim, r.cancel_requested_at IS NOT NULL AS "cancelRequested"`,
      [claims.map(({ id }) => id), claims.map(({ claim }) => claim)],
    );
  }

  async write({ id, claim }: Claim, { log, progress, progressMessage }: LiveState): Promise<void> {
    const parameters = [id, claim, log.count, JSON.stringify(log.chunks), progress, progressMessage];
    await this.keeping(id, log, () => this.database.one<object>(WRITE, parameters));
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
      logLines: log.count,
      chunks: JSON.stringify(log.chunks),
    });
    const ended = await this.keeping(id, log, () => this.database.one<EndedRun>(...statement));
    this.outbox.wake();
    if (!ended) return null;
    const outcome = ended.status as RunOutcome;
    this.database.afterCommit(() => this.metrics.ended(outcome, end.durationMs, end.network));
    return ended;
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

  /** Queues runs again that were taken and not begun by workers that have died. */
  async requeueAbandoned(): Promise<number> {
    const { count } = await this.database.execute(
      `UPDATE runs SET phase = 'queued', worker_id = NULL, lease_until = NULL
       WHERE id IN (SELECT id FROM runs WHERE phase = 'starting' AND ${LEASE_IS_LOST}
                    LIMIT 500 FOR UPDATE SKIP LOCKED)`,
    );
    return count;
  }

  /** Runs whose worker died while they executed. They may have done some of their work, so they are ended and never repeated. */
  lostRuns(): Promise<LostRun[]> {
    return this.database.query<LostRun>(
      `SELECT ${columns(Run, 'r', 'id', 'claim', 'progress', 'progressMessage')}, r.log_lines AS "logLines",
         (extract(epoch FROM now() - r.execution_started_at) * 1000)::int AS "durationMs"
       FROM runs r WHERE phase = 'executing' AND ${LEASE_IS_LOST} LIMIT 500`,
    );
  }
}

const insertChunks = (run: string, chunks: string): string => `
    INSERT INTO run_log_chunks (run_id, first_line, lines)
    SELECT r.id, c."firstLine", c.lines
    FROM ${run} r, json_to_recordset(${chunks}::json) AS c("firstLine" int, lines text[])`;

const WRITE = `
  WITH mine AS (
    UPDATE runs SET log_lines = $3, progress = $5, progress_message = $6
    WHERE id = $1 AND claim = $2 AND phase = 'executing'
    RETURNING id
  ), logged AS (${insertChunks('mine', '$4')}
  )
  SELECT pg_notify('gatehouse', 'run:' || id) FROM mine`;

/** A chunk that goes on beyond what is dropped keeps its end. */
const DROP_LINES = `
  WITH dropped AS (
    DELETE FROM run_log_chunks WHERE run_id = $1 AND first_line >= $2 AND first_line < $3 RETURNING *
  )
  INSERT INTO run_log_chunks (run_id, first_line, lines)
  SELECT run_id, $3, lines[$3::int - first_line + 1:] FROM dropped WHERE first_line + cardinality(lines) > $3`;

interface FinishTexts {
  network: string;
  chunks: string;
  logLines: number;
  eventId: string;
}

/** A run whose cancellation was asked for ends as cancelled, even if its command has succeeded meanwhile. */
const FINISH = named<Claim & Omit<RunEnd, 'network' | 'log'> & FinishTexts>(`
  WITH done AS (
    UPDATE runs SET
      status = CASE WHEN cancel_requested_at IS NULL THEN :outcome::text ELSE 'cancelled' END,
      output = CASE WHEN cancel_requested_at IS NULL THEN :output::json END,
      error = CASE WHEN cancel_requested_at IS NULL THEN :error::text END,
      phase = 'finished', finished_at = now(), duration_ms = :durationMs::int, network = :network::json,
      log_lines = :logLines::int, progress = :progress,
      progress_message = :progressMessage, traceparent = COALESCE(:traceparent, traceparent), worker_id = NULL, lease_until = NULL
    WHERE id = :id AND claim = :claim AND phase IN ('starting', 'executing')
    RETURNING *
  ), logged AS (${insertChunks('done', ':chunks')}
  ), told AS (${insertRunEvent('done', ':eventId')}
  ), counted AS (${countEndedRun('done')}
  ), metered AS (${countRunSeconds('done')}
  )
  SELECT ${RUN_COLUMNS}, pg_notify('gatehouse', 'run:' || r.id) FROM done r`);

import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';

import { scriptVisibleTo, type WorkspaceCaller } from '../core/access/index.js';
import { CLOCKS_APART_MS, firstIdAt, newId } from '../core/crypto/index.js';
import { countSome, Database, newestFirst } from '../core/database/index.js';
import { Outbox } from '../core/outbox/index.js';
import { rowsBefore } from '../core/work/index.js';
import { PRESENTED, type RunRow, type SingleRunRow } from './run-columns.js';
import type { RunListQuery } from './run.dto.js';
import { RUN_QUEUE } from './run-queue.sql.js';
import { Run } from './run.entity.js';
import type { RunPhase } from './run.status.js';
import { CANCEL_RUN, FIND_RUN, NAMED_ENVIRONMENT, NAMED_SCRIPT } from './runs.sql.js';

export type RunFilters = Omit<RunListQuery, 'limit' | 'cursor'>;

/** What a rerun takes over from an earlier run, with the inputs as JSON text. */
export type RunOrigin = Pick<Run, 'scriptSlug' | 'version' | 'test'> & { inputs: string };

@Injectable()
export class RunsRepository {
  constructor(
    @InjectRepository(Run) private readonly runs: Repository<Run>,
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  /** A single run, if the caller may see it. */
  async find(id: string, caller: WorkspaceCaller): Promise<SingleRunRow | null> {
    const parameters = [id, caller.workspace.id, caller.bound ? caller.environment.id : null];
    const seesAll = caller.role === 'owner' || caller.role === 'admin';
    const row = await this.database.one<Omit<SingleRunRow, 'queuedBehind'>>(
      FIND_RUN[caller.role],
      seesAll ? parameters : [...parameters, caller.person!.id],
    );
    if (!row) return null;
    return { ...row, queuedBehind: row.phase === 'queued' ? await this.countBefore(id) : null };
  }

  async origin(id: string): Promise<RunOrigin | null> {
    const { entities, raw } = await this.runs
      .createQueryBuilder('r')
      .select(['r.id', 'r.scriptSlug', 'r.version', 'r.test'])
      .addSelect('r.inputs::text', 'inputs')
      .where({ id })
      .getRawAndEntities<Pick<RunOrigin, 'inputs'>>();
    return entities[0] ? { ...entities[0], inputs: raw[0]!.inputs } : null;
  }

  /** How many wait for a worker, counted no further than is worth knowing. */
  countQueued(): Promise<number> {
    return countSome(this.runs.createQueryBuilder().where(RUN_QUEUE.waits));
  }

  /** The time-out of a run's version. */
  async timeoutSeconds(id: string): Promise<number> {
    const row = await this.runs
      .createQueryBuilder('r')
      .innerJoin('ScriptVersion', 'v', 'v.id = r.versionId')
      .select('v.timeoutSeconds', 'seconds')
      .where('r.id = :id', { id })
      .getRawOne<{ seconds: number }>();
    return row!.seconds;
  }

  async list(
    caller: WorkspaceCaller,
    filters: RunFilters,
    after: string | null,
    count: number,
  ): Promise<RunRow[]> {
    const { workspace, role, person } = caller;
    const { script, environment } = filters;
    const query = this.runs
      .createQueryBuilder('r')
      .select(PRESENTED.map((property) => `r.${property}`))
      .addSelect('e.name', 'environment')
      .innerJoin('Environment', 'e', 'e.id = r.environmentId')
      .where('r.workspaceId = :workspaceId', { workspaceId: workspace.id });
    for (const property of ['status', 'interface', 'scheduleId', 'triggerId'] as const) {
      const value = filters[property];
      if (value !== undefined) query.andWhere(`r.${property} = :${property}`, { [property]: value });
    }
    const { startedBy, since, until } = filters;
    if (startedBy !== undefined) query.andWhere('r.startedByUserId = :startedBy', { startedBy });
    // Ids are made by our clocks and `started_at` by the database's. The ids let the index begin and end the search.
    if (since !== undefined) {
      const firstId = firstIdAt('run', new Date(Date.parse(since) - CLOCKS_APART_MS));
      query.andWhere('r.id >= :firstId AND r.startedAt >= :since', { firstId, since });
    }
    if (until !== undefined) {
      const endId = firstIdAt('run', new Date(Date.parse(until) + CLOCKS_APART_MS));
      query.andWhere('r.id < :endId AND r.startedAt < :until', { endId, until });
    }
    if (caller.bound) query.andWhere('r.environmentId = :bound', { bound: caller.environment.id });
    if (environment !== undefined) query.andWhere(`r.environmentId = ${NAMED_ENVIRONMENT}`, { environment });
    if (script !== undefined) query.andWhere(`r.scriptId = ${NAMED_SCRIPT}`, { script });
    if (role === 'guest') query.andWhere('r.startedByUserId = :userId', { userId: person!.id });
    if (role === 'member') {
      query
        .innerJoin('Script', 's', 's.id = r.scriptId')
        .andWhere(...scriptVisibleTo('s', { role, userId: person!.id }));
    }
    const { entities, raw } = await newestFirst(query, after, count).getRawAndEntities<{
      environment: string;
    }>();
    return entities.map((run, index) => ({ ...run, environment: raw[index]!.environment }));
  }

  /**
   * Ends a run that no worker has, or asks its worker to. Returns the phase that it was in, or null where it is
   * finished already.
   */
  async cancel(id: string): Promise<RunPhase | null> {
    const row = await this.database.one<{ before: RunPhase }>(CANCEL_RUN, [id, newId('event')]);
    this.outbox.wake();
    return row?.before ?? null;
  }

  /** A statement of its own: it costs more to get ready for than to find a run, and few runs that are read wait. */
  private async countBefore(id: string): Promise<number> {
    const found = await this.runs
      .createQueryBuilder('r')
      .select(rowsBefore(RUN_QUEUE, 'r'), 'before')
      .where({ id, phase: 'queued' })
      .getRawOne<{ before: number }>();
    // None: it has been taken meanwhile.
    return found?.before ?? 0;
  }
}

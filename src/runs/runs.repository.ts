import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';

import { scriptIsChosen, scriptVisibleTo, type WorkspaceCaller } from '../core/access/index.js';
import { CLOCKS_APART_MS, firstIdAt, newId } from '../core/crypto/index.js';
import { countSome, Database, newestFirst } from '../core/database/index.js';
import { Outbox } from '../core/outbox/index.js';
import { rowsBefore, Waker } from '../core/work/index.js';
import { RunAttemptsRepository } from './attempts/run-attempts.repository.js';
import { PRESENTED, type RunRow, type SingleRunRow } from './run-columns.js';
import { causeColumnOf } from './run.cause.js';
import type { RunListQuery } from './run.dto.js';
import { RUN_QUEUE } from './run-queue.sql.js';
import { Run } from './run.entity.js';
import type { RunPhase } from './run.status.js';
import { RUN_TURNS } from './turns/run-turn.rules.js';
import { RunTurnsRepository } from './turns/run-turns.repository.js';
import { waitsBecause, waitsBehind } from './turns/waits-because.js';
import { CANCEL_RUN, FIND_RUN, NAMED_ENVIRONMENT, NAMED_SCRIPT } from './runs.sql.js';

export type RunFilters = Omit<RunListQuery, 'limit' | 'cursor'>;

/** What a rerun takes over from an earlier run, with the inputs as JSON text. */
type RunOrigin = Pick<Run, 'scriptSlug' | 'versionId' | 'version' | 'test'> & { inputs: string };

/** What whoever waits for a run needs to know of it, with its output as JSON text. */
export type RunEnd = Pick<SingleRunRow, 'status' | 'phase' | 'output'>;

@Injectable()
export class RunsRepository {
  constructor(
    @InjectRepository(Run) private readonly runs: Repository<Run>,
    private readonly database: Database,
    private readonly attempts: RunAttemptsRepository,
    private readonly turns: RunTurnsRepository,
    private readonly outbox: Outbox,
    private readonly waker: Waker,
  ) {}

  /** A single run, if the caller may see it. */
  async find(id: string, caller: WorkspaceCaller): Promise<SingleRunRow | null> {
    const parameters = [id, caller.workspace.id, caller.bound ? caller.environment.id : null];
    const { role, person, scriptChoice } = caller;
    if (scriptChoice !== null) parameters.push(person!.id, role, scriptChoice);
    else if (role === 'member' || role === 'guest') parameters.push(person!.id);
    const statement = FIND_RUN[scriptChoice === null ? role : 'chosen'];
    const row = await this.database.one<Omit<SingleRunRow, 'queuedBehind' | 'waitsBecause' | 'earlier'>>(
      statement,
      parameters,
    );
    if (!row) return null;
    const earlier = await this.attempts.of(row);
    const places = row.phase === 'waiting' ? await this.turns.placesOf(id) : null;
    const queuedBehind = row.phase === 'queued' ? await this.countBefore(id) : places && waitsBehind(places);
    return { ...row, earlier, queuedBehind, waitsBecause: waitsBecause({ ...row, queuedBehind }, places) };
  }

  async origin(id: string): Promise<RunOrigin | null> {
    const { entities, raw } = await this.runs
      .createQueryBuilder('r')
      .select(['r.id', 'r.scriptSlug', 'r.versionId', 'r.version', 'r.test'])
      .addSelect('r.inputs::text', 'inputs')
      .where({ id })
      .getRawAndEntities<Pick<RunOrigin, 'inputs'>>();
    return entities[0] ? { ...entities[0], inputs: raw[0]!.inputs } : null;
  }

  /** How far a run is, and what it returned. */
  async end(id: string): Promise<RunEnd | null> {
    const { entities, raw } = await this.runs
      .createQueryBuilder('r')
      .select(['r.id', 'r.status', 'r.phase'])
      .addSelect('r.output::text', 'output')
      .where({ id })
      .getRawAndEntities<Pick<RunEnd, 'output'>>();
    return entities[0] ? { ...entities[0], output: raw[0]!.output } : null;
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
    const { workspace, role, person, scriptChoice } = caller;
    const { script, environment } = filters;
    const query = this.runs
      .createQueryBuilder('r')
      .select(PRESENTED.map((property) => `r.${property}`))
      .addSelect('e.name', 'environment')
      .innerJoin('Environment', 'e', 'e.id = r.environmentId')
      .where('r.workspaceId = :workspaceId', { workspaceId: workspace.id });
    for (const property of ['status', 'interface', 'scheduleId', 'triggerId', 'hookId'] as const) {
      const value = filters[property];
      if (value !== undefined) query.andWhere(`r.${property} = :${property}`, { [property]: value });
    }
    const { causedBy, startedBy, since, until } = filters;
    if (causedBy !== undefined) query.andWhere(`r.${causeColumnOf(causedBy)} = :causedBy`, { causedBy });
    if (startedBy !== undefined) query.andWhere('r.startedByUserId = :startedBy', { startedBy });
    // Ids are made by our clocks and `started_at` by the database's. The ids let the index begin and end the search.
    if (since !== undefined) {
      const from = new Date(since);
      const firstId = firstIdAt('run', new Date(from.getTime() - CLOCKS_APART_MS));
      query.andWhere('r.id >= :firstId AND r.startedAt >= :from', { firstId, from });
    }
    if (until !== undefined) {
      const to = new Date(until);
      const endId = firstIdAt('run', new Date(to.getTime() + CLOCKS_APART_MS));
      query.andWhere('r.id < :endId AND r.startedAt < :to', { endId, to });
    }
    if (caller.bound) query.andWhere('r.environmentId = :bound', { bound: caller.environment.id });
    if (environment !== undefined) query.andWhere(`r.environmentId = ${NAMED_ENVIRONMENT}`, { environment });
    if (script !== undefined) query.andWhere(`r.scriptId = ${NAMED_SCRIPT}`, { script });
    if (role === 'guest') query.andWhere('r.startedByUserId = :userId', { userId: person!.id });
    if (role === 'member' || scriptChoice !== null) query.innerJoin('Script', 's', 's.id = r.scriptId');
    if (role === 'member')
      query.andWhere(...scriptVisibleTo('s', { role, userId: person!.id, scriptChoice }));
    else if (scriptChoice !== null) query.andWhere(scriptIsChosen('s', ':scriptChoice'), { scriptChoice });
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
    const row = await this.database.one<{ before: RunPhase } & Pick<Run, 'concurrencyKey'>>(CANCEL_RUN, [
      id,
      newId('event'),
    ]);
    this.outbox.wake();
    if (row?.concurrencyKey) this.waker.wake(RUN_TURNS, [row.concurrencyKey]);
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

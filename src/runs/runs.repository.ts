import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, Repository } from 'typeorm';

import type { WorkspaceCaller } from '../core/access/index.js';
import { newId } from '../core/crypto/index.js';
import { countSome, Database, newestFirst } from '../core/database/index.js';
import { Outbox } from '../core/outbox/index.js';
import { rowsBefore, Waker } from '../core/work/index.js';
import { WAITING_OF_RUN } from './asking/questions.sql.js';
import { RunAttemptsRepository } from './attempts/run-attempts.repository.js';
import { PRESENTED, type RunRow, type SingleRunRow } from './run-columns.js';
import { matchingRuns, type RunFilters, visibleRuns } from './run-filters.js';
import { RunPlacingRepository } from './placing/run-placing.repository.js';
import { queueFor, RUN_QUEUE, UNTAGGED_QUEUE } from './run-queue.sql.js';
import { Run } from './run.entity.js';
import type { RunPhase } from './run.status.js';
import { RunSearchService } from './search/run-search.service.js';
import { RUN_TURNS } from './turns/run-turn.rules.js';
import { RunTurnsRepository } from './turns/run-turns.repository.js';
import { waitsBecause, waitsBehind } from './turns/waits-because.js';
import { CANCEL_RUN, FIND_RUN, MOVE_RUN } from './runs.sql.js';

/** What a rerun takes over from an earlier run, with the inputs as JSON text. */
type RunOrigin = Pick<Run, 'scriptSlug' | 'versionId' | 'version' | 'test' | 'plan' | 'labels'> & {
  inputs: string;
};

/** What whoever waits for a run needs to know of it, with its output as JSON text. */
export type RunEnd = Pick<SingleRunRow, 'status' | 'phase' | 'output'>;

/** Where a run belongs, by the names of now. */
export interface RunPlacing extends Pick<Run, 'id' | 'approvalRequestId' | 'environmentId'> {
  workspace: string;
  environment: string;
  environmentIsGone: boolean;
}

@Injectable()
export class RunsRepository {
  constructor(
    @InjectRepository(Run) private readonly runs: Repository<Run>,
    private readonly database: Database,
    private readonly attempts: RunAttemptsRepository,
    private readonly turns: RunTurnsRepository,
    private readonly placing: RunPlacingRepository,
    private readonly outbox: Outbox,
    private readonly waker: Waker,
    private readonly searches: RunSearchService,
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
    const isQueued = row.phase === 'queued';
    const queuedBehind = isQueued ? await this.countBefore(row) : places && waitsBehind(places);
    const isUnplaceable = isQueued && row.runsOn !== null && !(await this.placing.isPlaceable(id));
    const { isHeldCopy } = this.placing;
    const why = waitsBecause({ ...row, queuedBehind, isUnplaceable }, places, isHeldCopy);
    return { ...row, earlier, queuedBehind: isHeldCopy ? null : queuedBehind, waitsBecause: why };
  }

  async origin(id: string): Promise<RunOrigin | null> {
    const { entities, raw } = await this.runs
      .createQueryBuilder('r')
      .select(['r.id', 'r.scriptSlug', 'r.versionId', 'r.version', 'r.test', 'r.plan', 'r.labels'])
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
    const query = matchingRuns(this.runs, caller, filters)
      .select(PRESENTED.map((property) => `r.${property}`))
      .addSelect('e.name', 'environment')
      .addSelect(WAITING_OF_RUN, 'waitingApprovalIds')
      .innerJoin('Environment', 'e', 'e.id = r.environmentId');
    const { entities, raw } = await this.searches.find(caller.workspace.id, filters, () =>
      newestFirst(query, after, count).getRawAndEntities<
        Pick<RunRow, 'environment' | 'waitingApprovalIds'>
      >(),
    );
    return entities.map((run, index) => {
      const { environment, waitingApprovalIds } = raw[index]!;
      return { ...run, environment, waitingApprovalIds };
    });
  }

  /** The ids of the newest that fit, at most `count`. */
  async idsOf(caller: WorkspaceCaller, filters: RunFilters, count: number): Promise<string[]> {
    const query = matchingRuns(this.runs, caller, filters).select('r.id', 'id');
    const rows = await this.searches.find(caller.workspace.id, filters, () =>
      newestFirst(query, null, count).getRawMany<Pick<Run, 'id'>>(),
    );
    return idsIn(rows);
  }

  /** Those of the runs that the caller may see. */
  async visibleAmong(caller: WorkspaceCaller, ids: readonly string[]): Promise<string[]> {
    const query = visibleRuns(this.runs, caller).select('r.id', 'id');
    return idsIn(await query.andWhere({ id: Any([...ids]) }).getRawMany<Pick<Run, 'id'>>());
  }

  placingsOf(ids: readonly string[]): Promise<RunPlacing[]> {
    return this.runs
      .createQueryBuilder('r')
      .innerJoin('Environment', 'e', 'e.id = r.environmentId')
      .innerJoin('Workspace', 'w', 'w.id = r.workspaceId')
      .select('r.id', 'id')
      .addSelect('r.approvalRequestId', 'approvalRequestId')
      .addSelect('r.environmentId', 'environmentId')
      .addSelect('w.slug', 'workspace')
      .addSelect('e.name', 'environment')
      .addSelect('e.deletedAt IS NOT NULL', 'environmentIsGone')
      .where({ id: Any([...ids]) })
      .getRawMany<RunPlacing>();
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

  /** @returns whether it waited for a time that may be changed */
  async move(id: string, startAt: Date): Promise<boolean> {
    const moved = await this.database.one<{ id: string }>(MOVE_RUN, [id, startAt, newId('event')]);
    this.outbox.wake();
    return moved !== null;
  }

  /** A statement of its own: it costs more to get ready for than to find a run, and few runs that are read wait. */
  private async countBefore({ id, runsOn }: Pick<Run, 'id' | 'runsOn'>): Promise<number> {
    // What asks for more goes to other workers.
    const queue = runsOn === null ? UNTAGGED_QUEUE : queueFor('r.runs_on');
    const found = await this.runs
      .createQueryBuilder('r')
      .select(rowsBefore(queue, 'r'), 'before')
      .where({ id, phase: 'queued' })
      .getRawOne<{ before: number }>();
    // None: it has been taken meanwhile.
    return found?.before ?? 0;
  }
}

const idsIn = (rows: readonly Pick<Run, 'id'>[]): string[] => rows.map(({ id }) => id);

import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import { roleReaches, type WorkspaceCaller } from '../../core/access/index.js';
import { firstIdAt } from '../../core/crypto/index.js';
import { Database, inSeconds, newestFirst, NOW } from '../../core/database/index.js';
import { deleteFirst, type Expired, Expires, ownerOf } from '../../core/work/index.js';
import { RunOperation } from './run-operation.entity.js';
import {
  MOST_NAMED,
  MOST_OPERATIONS,
  OPERATION_HOURS,
  type OperationStatus,
  type RunResult,
} from './run-operation.rules.js';

const KEPT_MS = 30 * 86_400_000;
/** Of the operations that go on of whom one counts for, the latest moment at which one is due: a step makes that later. */
const LAST_OF_OWNER = `(SELECT max(p.due_at) FROM run_operations p
  WHERE p.status = 'running' AND ${ownerOf('p.workspace_id')} = ${ownerOf('o.workspace_id')})`;

export type NewOperation = Pick<
  RunOperation,
  | 'id'
  | 'workspaceId'
  | 'kind'
  | 'filter'
  | 'runIds'
  | 'matched'
  | 'more'
  | 'environmentId'
  | 'startedByUserId'
  | 'credentialId'
  | 'credentialType'
  | 'credentialName'
  | 'credentialStrategy'
  | 'credentialHash'
  | 'causedByRunId'
>;

/** Without what may be large. */
export type ListedOperation = Omit<RunOperation, 'runIds' | 'leftOut'>;

/** How far it is: whoever has seen it elsewhere changes nothing. */
export type OperationPlace = Pick<RunOperation, 'id' | 'done' | 'skipped' | 'failed'>;

@Injectable()
export class RunOperationsRepository {
  constructor(
    @InjectRepository(RunOperation) private readonly operations: Repository<RunOperation>,
    private readonly database: Database,
  ) {}

  /**
   * Whether one more may go on of the workspace. One is asked for at a time: looking for its runs may take a while, and whoever waited
   * for that would hold a connection.
   */
  async hasRoom(workspaceId: string): Promise<boolean> {
    if (!(await this.database.tryLock(`run operations of ${workspaceId}`))) return false;
    return (await this.operations.countBy({ workspaceId, status: 'running' })) < MOST_OPERATIONS;
  }

  async insert(operation: NewOperation): Promise<void> {
    await this.operations.createQueryBuilder().insert().updateEntity(false).values(operation).execute();
  }

  /** Newest first. */
  list(caller: WorkspaceCaller, after: string | null, count: number): Promise<ListedOperation[]> {
    return newestFirst(this.visible(caller), after, count).getMany();
  }

  find(caller: WorkspaceCaller, id: string): Promise<RunOperation | null> {
    return this.visible(caller).addSelect('o.leftOut').andWhere('o.id = :id', { id }).getOne();
  }

  /** Of the owner who has waited longest the one that has, which nobody else looks at for so long. */
  claim(leaseSeconds: number): Promise<(RunOperation & { isTooOld: boolean }) | null> {
    return this.database.transaction(async () => {
      const { entities, raw } = await this.operations
        .createQueryBuilder('o')
        .addSelect('o.leftOut')
        .addSelect(`o.createdAt < now() - interval '${OPERATION_HOURS} hours'`, 'too_old')
        .where(`o.status = 'running' AND o.dueAt <= now()`)
        .orderBy(LAST_OF_OWNER)
        .addOrderBy('o.dueAt')
        .limit(1)
        .setLock('pessimistic_write')
        .setOnLocked('skip_locked')
        .getRawAndEntities<{ too_old: boolean }>();
      const [found] = entities;
      if (!found) return null;
      const { id } = found;
      const attempts = found.attempts + 1;
      await this.operations.update({ id }, { attempts, dueAt: inSeconds(leaseSeconds) });
      return { ...found, attempts, isTooOld: raw[0]!.too_old };
    });
  }

  /** The ids of its next runs, at most `count`. */
  async nextRuns({ id, ...place }: OperationPlace, count: number): Promise<string[]> {
    const from = 1 + place.done + place.skipped + place.failed;
    const row = await this.operations
      .createQueryBuilder('o')
      .select('o.run_ids[(:from) : (:to)]', 'ids')
      .where({ id })
      .setParameters({ from, to: from + count - 1 })
      .getRawOne<{ ids: string[] }>();
    return row?.ids ?? [];
  }

  /** Locks it until the transaction ends. False: it has ended, or somebody else has gone on with it. */
  async lock({ id, done, skipped, failed }: OperationPlace): Promise<boolean> {
    const where = { id, done, skipped, failed, status: 'running' as const };
    const lock = { mode: 'pessimistic_write' } as const;
    return (await this.operations.findOne({ select: { id: true }, where, lock })) !== null;
  }

  /** Counts what became of its next runs, in the transaction that has changed them. */
  async moveOn(operation: RunOperation, results: readonly RunResult[]): Promise<void> {
    const counted = { done: operation.done, skipped: operation.skipped, failed: operation.failed };
    for (const { result } of results) counted[result] += 1;
    const named = results.flatMap(({ runId, result, reason }) =>
      result === 'done' ? [] : [{ runId, result, reason: reason! }],
    );
    const leftOut = [...operation.leftOut, ...named].slice(0, MOST_NAMED);
    const hasEnded = counted.done + counted.skipped + counted.failed === operation.matched;
    await this.operations.update(
      { id: operation.id },
      {
        ...counted,
        leftOut,
        attempts: 0,
        waitsBecause: null,
        dueAt: NOW,
        ...(hasEnded && ENDED('completed')),
      },
    );
  }

  /** It goes on after so long. */
  async postpone({ id }: OperationPlace, seconds: number, waitsBecause: string): Promise<void> {
    await this.operations.update(
      { id, status: 'running' },
      { attempts: 0, waitsBecause, dueAt: inSeconds(seconds) },
    );
  }

  /** False: it has ended already. */
  async end(id: string, status: OperationStatus, error: string | null): Promise<boolean> {
    const { affected } = await this.operations.update(
      { id, status: 'running' },
      { ...ENDED(status), error, waitsBecause: null },
    );
    return affected === 1;
  }

  /** Whatever has ended. Those in progress are never as old. */
  @Expires({ after: KEPT_MS })
  deleteOld({ before, most }: Expired): Promise<number> {
    const old = this.operations
      .createQueryBuilder('o')
      .where('o.id < :end', { end: firstIdAt('operation', before) })
      .orderBy('o.id');
    return deleteFirst(this.operations, old, most);
  }

  /** Owners and admins see all of the workspace; others, and apps with chosen scripts, what is their own. */
  private visible({
    workspace,
    role,
    person,
    scriptChoice,
    credentialId,
    bound,
    environment,
  }: WorkspaceCaller) {
    const query = this.operations
      .createQueryBuilder('o')
      .where('o.workspaceId = :workspaceId', { workspaceId: workspace.id });
    if (bound) query.andWhere('o.environmentId = :environmentId', { environmentId: environment.id });
    if (scriptChoice !== null) query.andWhere('o.credentialId = :credentialId', { credentialId });
    if (!roleReaches(role, 'admin'))
      query.andWhere('o.startedByUserId = :userId', { userId: person?.id ?? null });
    return query;
  }
}

const ENDED = (status: OperationStatus) => ({
  status,
  finishedAt: NOW,
  runIds: [],
  credentialHash: null,
});

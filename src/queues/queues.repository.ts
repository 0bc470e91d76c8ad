import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository, SelectQueryBuilder } from 'typeorm';

import { scriptVisibleTo, type WorkspaceCaller } from '../core/access/index.js';
import { Database, insertIfAbsent, newestFirst, NOW } from '../core/database/index.js';
import type { QueuedScriptDto } from './queue.dto.js';
import { Queue } from './queue.entity.js';

const MOST_SCRIPTS = 100;
const MOST_COUNTED = 1000;

/** Of the queue `q`. By the index of what is in queues, so that no other run is read. */
const countRuns = (phases: string): string => `(SELECT count(*)::int FROM (SELECT FROM runs r
  WHERE r.workspace_id = q.workspace_id AND r.queue = q.name AND r.phase IN (${phases}) LIMIT ${MOST_COUNTED}) AS few)`;

type NewQueue = Pick<Queue, 'id' | 'workspaceId' | 'name' | 'runLimit' | 'paused' | 'createdByUserId'>;

/** With how it stands with its runs. */
export type QueueRow = Queue & { going: number; waiting: number };

@Injectable()
export class QueuesRepository {
  constructor(
    @InjectRepository(Queue) private readonly queues: Repository<Queue>,
    private readonly database: Database,
  ) {}

  /** Whoever makes a queue takes turns with others who do. Returns how many there are. */
  async countForOneMore(workspaceId: string): Promise<number> {
    await this.database.lock(`queues of ${workspaceId}`);
    return this.queues.countBy({ workspaceId });
  }

  /** False: the name is taken. */
  insert(queue: NewQueue): Promise<boolean> {
    return insertIfAbsent(this.queues, queue);
  }

  /** Newest first. */
  async list(workspaceId: string, after: string | null, count: number): Promise<QueueRow[]> {
    return this.rows(newestFirst(this.counted().where({ workspaceId }), after, count));
  }

  async find(workspaceId: string, name: string): Promise<QueueRow | null> {
    return (await this.rows(this.counted().where({ workspaceId, name })))[0] ?? null;
  }

  /** Until the transaction ends nobody else changes it, and no script comes into it. */
  lock(workspaceId: string, name: string): Promise<Queue | null> {
    return this.queues.findOne({ where: { workspaceId, name }, lock: { mode: 'pessimistic_write' } });
  }

  /** Keeps it from being deleted until the transaction ends. False: it is not there. */
  async hold(workspaceId: string, name: string): Promise<boolean> {
    const lock = { mode: 'for_key_share' } as const;
    return (await this.queues.findOne({ where: { workspaceId, name }, lock })) !== null;
  }

  async update(id: string, change: Pick<Queue, 'runLimit' | 'paused'>): Promise<void> {
    await this.queues.update({ id }, { ...change, updatedAt: NOW });
  }

  async delete(id: string): Promise<void> {
    await this.queues.delete({ id });
  }

  /** How many scripts are in it, archived ones included. */
  countScripts({ workspaceId, name }: Pick<Queue, 'workspaceId' | 'name'>): Promise<number> {
    return this.queues.manager
      .createQueryBuilder('Script', 's')
      .where({ workspaceId, queue: name })
      .getCount();
  }

  /** Those that somebody may see, by slug. */
  scriptsFor(caller: WorkspaceCaller, name: string): Promise<QueuedScriptDto[]> {
    const { workspace, role, person, scriptChoice } = caller;
    return this.queues.manager
      .createQueryBuilder('Script', 's')
      .select('s.slug', 'slug')
      .addSelect('s.name', 'name')
      .where({ workspaceId: workspace.id, queue: name })
      .andWhere(...scriptVisibleTo('s', { role, userId: person?.id ?? null, scriptChoice }))
      .orderBy('s.slug')
      .limit(MOST_SCRIPTS)
      .getRawMany<QueuedScriptDto>();
  }

  private counted(): SelectQueryBuilder<Queue> {
    return this.queues
      .createQueryBuilder('q')
      .addSelect(countRuns(`'queued', 'starting', 'executing'`), 'going')
      .addSelect(countRuns(`'waiting'`), 'waiting');
  }

  private async rows(query: SelectQueryBuilder<Queue>): Promise<QueueRow[]> {
    const { entities, raw } = await query.getRawAndEntities<Pick<QueueRow, 'going' | 'waiting'>>();
    return entities.map((queue, index) => {
      const { going, waiting } = raw[index]!;
      return { ...queue, going, waiting };
    });
  }
}

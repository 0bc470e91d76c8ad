import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository } from 'typeorm';

import { Database } from '../../core/database/index.js';
import { Run } from '../run.entity.js';
import { FREE_IN_QUEUE } from './run-turns.sql.js';

/** A queue of a workspace. */
export interface QueueName {
  workspaceId: string;
  name: string;
}

/** Begins as no key does, which has the id of a script there. */
export const turnOfQueue = ({ workspaceId, name }: QueueName): string => `${workspaceId}/${name}`;

const IS_QUEUE = /^(wks_[^/]*)\/(.*)$/;
const scriptOfKey = (key: string): string => key.slice(0, key.indexOf('/'));

/** Which queue gives places to a key, and how many it has; and what becomes of runs where it is another one. */
@Injectable()
export class QueuePlacesRepository {
  constructor(
    @InjectRepository(Run) private readonly runs: Repository<Run>,
    private readonly database: Database,
  ) {}

  /**
   * Locks all that decides about the places of a key, or of a queue, until the transaction ends. Who comes after sees in its
   * next statement what this one has given.
   *
   * @returns the queue that gives them; null: they are only of the key
   */
  async lock(turn: string): Promise<QueueName | null> {
    const [, workspaceId, name] = IS_QUEUE.exec(turn) ?? [];
    const queue = workspaceId === undefined ? await this.holdQueueOf(turn) : { workspaceId, name: name! };
    await this.database.lock(`turns ${queue ? turnOfQueue(queue) : turn}`);
    return queue;
  }

  /** How many of its places are free, while it is locked. */
  async free({ workspaceId, name }: QueueName): Promise<number> {
    const row = await this.runs.manager
      .createQueryBuilder('Queue', 'q')
      .select(FREE_IN_QUEUE, 'free')
      .where({ workspaceId, name })
      .getRawOne<{ free: number }>();
    return Math.max(0, row?.free ?? 0);
  }

  /** What has a place and no worker waits again, as the queue says now. */
  async recall({ workspaceId, name }: QueueName): Promise<void> {
    await this.lock(turnOfQueue({ workspaceId, name }));
    await this.runs.update({ workspaceId, queue: name, phase: 'queued' }, { phase: 'waiting' });
  }

  /**
   * Has all of a script that has not ended wait in another queue; null: in none. What no worker has yet waits again.
   *
   * @returns the keys of what waits now
   */
  async move(
    { id: scriptId, workspaceId }: { id: string; workspaceId: string },
    from: string | null,
    to: string | null,
  ): Promise<Set<string>> {
    // Alone with the script, then with both queues in an order: whoever gives places asks for one of each, in this order.
    await this.database.lock(`queue of ${scriptId}`);
    const queues = [from, to].flatMap((name) => (name === null ? [] : turnOfQueue({ workspaceId, name })));
    for (const turn of queues.toSorted()) await this.database.lock(`turns ${turn}`);
    const waits = to !== null && {
      phase: () => `CASE phase WHEN 'queued' THEN 'waiting' ELSE phase END`,
      concurrencyKey: () => `COALESCE(concurrency_key, script_id || '/' || environment_id || '/')`,
    };
    const { raw } = await this.runs
      .createQueryBuilder()
      .update()
      .set({ queue: to, ...waits })
      .where({ workspaceId, scriptId, status: In(['awaiting_approval', 'running']) })
      .returning(`CASE phase WHEN 'waiting' THEN concurrency_key END AS key`)
      .execute();
    return new Set((raw as { key: string | null }[]).flatMap(({ key }) => key ?? []));
  }

  /** The queue of a key's script, which stays in it until the transaction ends. */
  private async holdQueueOf(key: string): Promise<QueueName | null> {
    const id = scriptOfKey(key);
    await this.database.lockShared(`queue of ${id}`);
    const script = await this.runs.manager
      .createQueryBuilder('Script', 's')
      .select('s.workspaceId', 'workspaceId')
      .addSelect('s.queue', 'name')
      .where({ id })
      .getRawOne<{ workspaceId: string; name: string | null }>();
    return script && script.name !== null ? { workspaceId: script.workspaceId, name: script.name } : null;
  }
}

import { Injectable } from '@nestjs/common';

import { AuditTrail } from '../audit/index.js';
import { roleReaches, type WorkspaceCaller } from '../core/access/index.js';
import { newId } from '../core/crypto/index.js';
import { Database, keysetPage, type Page, type PageRequest } from '../core/database/index.js';
import { Conflict, Forbidden, InvalidRequest, NotFound } from '../core/errors/index.js';
import { changedFields } from '../core/json/index.js';
import { Outbox } from '../core/outbox/index.js';
import type { QueueDetailDto, QueueDto, QueueInput, QueuePatch } from './queue.dto.js';
import type { Queue } from './queue.entity.js';
import { QueueHooks } from './queue-hooks.js';
import { QueuesRepository, type QueueRow } from './queues.repository.js';

const MOST_QUEUES = 100;
const FIELDS = ['limit', 'paused'] as const;

type QueueAction = 'queue.created' | 'queue.updated' | 'queue.deleted';

/** Places that the runs of several scripts share. */
@Injectable()
export class QueuesService {
  constructor(
    private readonly queues: QueuesRepository,
    private readonly hooks: QueueHooks,
    private readonly database: Database,
    private readonly audit: AuditTrail,
    private readonly outbox: Outbox,
  ) {}

  list({ workspace }: WorkspaceCaller, request: PageRequest): Promise<Page<QueueDto>> {
    return keysetPage(
      request,
      { list: 'queues', filters: { workspaceId: workspace.id } },
      (after, count) => this.queues.list(workspace.id, after, count),
      present,
    );
  }

  async get(caller: WorkspaceCaller, name: string): Promise<QueueDetailDto> {
    const row = await this.queues.find(caller.workspace.id, name);
    if (!row) throw new NotFound('queue');
    return { ...present(row), scripts: await this.queues.scriptsFor(caller, name) };
  }

  async create(caller: WorkspaceCaller, input: QueueInput): Promise<QueueDetailDto> {
    const { name, limit = null, paused = false } = input;
    const workspaceId = caller.workspace.id;
    await this.database.transaction(async () => {
      if ((await this.queues.countForOneMore(workspaceId)) >= MOST_QUEUES)
        throw new Conflict(`A workspace has at most ${MOST_QUEUES} queues.`);
      const id = newId('queue');
      const createdByUserId = caller.person?.id ?? null;
      if (!(await this.queues.insert({ id, workspaceId, name, runLimit: limit, paused, createdByUserId })))
        throw new Conflict(`This workspace has a queue ${name} already.`, [
          { path: 'name', message: 'is taken' },
        ]);
      await this.record(caller, 'queue.created', { id, name }, { limit, paused });
    });
    return this.get(caller, name);
  }

  async update(caller: WorkspaceCaller, name: string, patch: QueuePatch): Promise<QueueDetailDto> {
    await this.database.transaction(async () => {
      const queue = await this.locked(caller, name);
      const before = { limit: queue.runLimit, paused: queue.paused };
      const { limit = before.limit, paused = before.paused } = patch;
      const after = { limit, paused };
      const changed = changedFields(FIELDS, before, after);
      if (changed.length === 0) return;
      await this.queues.update(queue.id, { runLimit: after.limit, paused });
      await this.hooks.changed(queue);
      await this.outbox.add({
        workspaceId: queue.workspaceId,
        environmentId: null,
        type: 'queue.updated',
        data: { name, ...after, changed },
      });
      const details = changed.map((field) => [field, { from: before[field], to: after[field] }] as const);
      await this.record(caller, 'queue.updated', queue, Object.fromEntries(details));
    });
    return this.get(caller, name);
  }

  /** @throws Conflict while scripts are in it, archived ones included */
  delete(caller: WorkspaceCaller, name: string): Promise<void> {
    return this.database.transaction(async () => {
      const queue = await this.locked(caller, name);
      const scripts = await this.queues.countScripts(queue);
      if (scripts > 0) {
        const count = scripts === 1 ? '1 script is' : `${scripts} scripts are`;
        throw new Conflict(`${count} in the queue ${name}. Take them out first.`);
      }
      await this.queues.delete(queue.id);
      await this.record(caller, 'queue.deleted', queue);
    });
  }

  /**
   * Whether a script may go from one queue to another; null: none. To be called in the transaction that moves it, which the
   * queue outlives.
   *
   * @throws Forbidden where somebody who may not change queues takes it out of one
   * @throws InvalidRequest where there is no such queue
   */
  async assertMayMove(caller: WorkspaceCaller, from: string | null, to: string | null): Promise<void> {
    if (from !== null && !roleReaches(caller.role, 'admin'))
      throw new Forbidden(`The script is in the queue ${from}. To take it out takes an owner or admin.`);
    if (to !== null && !(await this.queues.hold(caller.workspace.id, to)))
      throw InvalidRequest.at('queue', 'is not the name of a queue of this workspace');
  }

  /** A script has gone to another queue, in the same transaction: what waits of it does so there. */
  moved(script: { id: string; workspaceId: string }, from: string | null, to: string | null): Promise<void> {
    return this.hooks.moved(script, from, to);
  }

  private async locked({ workspace }: WorkspaceCaller, name: string): Promise<Queue> {
    const queue = await this.queues.lock(workspace.id, name);
    if (!queue) throw new NotFound('queue');
    return queue;
  }

  private record(
    caller: WorkspaceCaller,
    action: QueueAction,
    { id, name }: Pick<Queue, 'id' | 'name'>,
    details: Record<string, unknown> = {},
  ): Promise<void> {
    const target = { type: 'queue', id };
    return this.audit.record(caller.workspace.id, caller, action, target, { name, ...details });
  }
}

function present(row: QueueRow): QueueDto {
  return {
    id: row.id,
    name: row.name,
    limit: row.runLimit,
    paused: row.paused,
    going: row.going,
    waiting: row.waiting,
    createdByUserId: row.createdByUserId,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

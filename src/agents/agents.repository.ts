import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository, SelectQueryBuilder } from 'typeorm';

import { Database, insertIfAbsent, NOW } from '../core/database/index.js';
import type { ScriptViewer } from '../scripts/index.js';
import type { AgentSettings } from './agent.changes.js';
import { Agent } from './agent.entity.js';
import { type AgentRow, LIST_AGENTS, visibleScripts } from './agents.sql.js';

export type NewAgent = Omit<Agent, 'createdAt' | 'updatedAt'>;

const VIEWER = { roleParameter: ':role', userParameter: ':userId', choiceParameter: ':scriptChoice' };

@Injectable()
export class AgentsRepository {
  constructor(
    @InjectRepository(Agent) private readonly agents: Repository<Agent>,
    private readonly database: Database,
  ) {}

  list(
    { workspaceId, role, userId, scriptChoice }: ScriptViewer,
    after: string | null,
    count: number,
  ): Promise<AgentRow[]> {
    return this.database.query<AgentRow>(LIST_AGENTS, [
      workspaceId,
      role,
      userId,
      scriptChoice,
      after,
      count,
    ]);
  }

  find(viewer: ScriptViewer, slug: string): Promise<AgentRow | null> {
    return read(this.bySlug(viewer, slug));
  }

  /** Neither changed nor deleted by anybody else before the transaction ends. */
  lock(viewer: ScriptViewer, slug: string): Promise<AgentRow | null> {
    return read(this.bySlug(viewer, slug).setLock('pessimistic_write'));
  }

  /** False: the slug is taken. */
  insert(agent: NewAgent): Promise<boolean> {
    return insertIfAbsent(this.agents, agent);
  }

  async update(id: string, settings: AgentSettings): Promise<void> {
    await this.agents.update({ id }, { ...settings, updatedAt: NOW });
  }

  async delete(id: string): Promise<void> {
    await this.agents.delete({ id });
  }

  private bySlug(viewer: ScriptViewer, slug: string): SelectQueryBuilder<Agent> {
    const { workspaceId, role, userId, scriptChoice } = viewer;
    return this.agents
      .createQueryBuilder('a')
      .addSelect(visibleScripts(VIEWER), 'visibleScripts')
      .where({ workspaceId, slug })
      .setParameters({ role, userId, scriptChoice });
  }
}

async function read(query: SelectQueryBuilder<Agent>): Promise<AgentRow | null> {
  const { entities, raw } = await query.getRawAndEntities<Pick<AgentRow, 'visibleScripts'>>();
  return entities[0] ? { ...entities[0], visibleScripts: raw[0]!.visibleScripts } : null;
}

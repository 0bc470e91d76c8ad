import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import { scriptIsVisible } from '../core/access/index.js';
import { boundedPage, columns, Database, insertIfAbsent, NOW, type RowOf } from '../core/database/index.js';
import type { ScriptViewer } from '../scripts/index.js';
import type { AgentSettings } from './agent.changes.js';
import { Agent } from './agent.entity.js';

const RECORD = columns(
  Agent,
  'a',
  'id',
  'slug',
  'name',
  'instructions',
  'model',
  'scripts',
  'enabled',
  'createdByUserId',
  'createdAt',
  'updatedAt',
);

/** With those of its scripts that exist for the viewer. */
export type AgentRow = RowOf<typeof RECORD> & { visibleScripts: string[] };
export type NewAgent = Omit<Agent, 'createdAt' | 'updatedAt'>;

@Injectable()
export class AgentsRepository {
  constructor(
    @InjectRepository(Agent) private readonly agents: Repository<Agent>,
    private readonly database: Database,
  ) {}

  list(
    { workspaceId, role, userId }: ScriptViewer,
    after: string | null,
    count: number,
  ): Promise<AgentRow[]> {
    return this.database.query<AgentRow>(LIST, [workspaceId, role, userId, after, count]);
  }

  find({ workspaceId, role, userId }: ScriptViewer, slug: string): Promise<AgentRow | null> {
    return this.database.one<AgentRow>(FIND, [workspaceId, role, userId, slug]);
  }

  /** Neither changed nor deleted by anybody else before the transaction ends. */
  lock({ workspaceId, role, userId }: ScriptViewer, slug: string): Promise<AgentRow | null> {
    return this.database.one<AgentRow>(LOCK, [workspaceId, role, userId, slug]);
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
}

const VISIBLE = scriptIsVisible({ alias: 's', roleParameter: '$2', userParameter: '$3' });

const COLUMNS = `${RECORD}, ARRAY(
    SELECT s.slug FROM unnest(a.scripts) WITH ORDINALITY AS given(slug, place)
      JOIN scripts s ON s.workspace_id = a.workspace_id AND s.slug = given.slug
    WHERE ${VISIBLE} ORDER BY given.place) AS "visibleScripts"`;

const FIND = `SELECT ${COLUMNS} FROM agents a WHERE a.workspace_id = $1 AND a.slug = $4`;

const LOCK = `${FIND} FOR UPDATE OF a`;

/** An agent can be large because of its instructions. */
const LIST = boundedPage({
  candidates: `
    SELECT a.id, octet_length(a.instructions) AS bytes FROM agents a
    WHERE a.workspace_id = $1 AND a.id < coalesce($4, '~') ORDER BY a.id DESC LIMIT $5`,
  columns: COLUMNS,
  tables: 'FROM page JOIN agents a ON a.id = page.id',
});

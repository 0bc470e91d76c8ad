import { Injectable } from '@nestjs/common';

import { columns, type RowOf } from '../core/database/columns.js';
import { Database } from '../core/database/database.js';
import { Environment } from '../environments/index.js';
import type { ScriptViewer } from '../scripts/index.js';
import type { AutomationKind } from './automation.kind.js';
import { scriptIsVisible } from '../core/access/script-visibility.js';

/** An environment that nobody changes until the transaction ends. */
export type HeldEnvironment = RowOf<typeof ENVIRONMENT> & {
  /** By the database's clock. */
  now: Date;
};

@Injectable()
export class AutomationNeedsRepository {
  constructor(private readonly database: Database) {}

  /** The script's id, if that viewer may see it. */
  findScript({ workspaceId, role, userId }: ScriptViewer, slug: string): Promise<{ id: string } | null> {
    return this.database.one<{ id: string }>(FIND_SCRIPT, [workspaceId, role, userId, slug]);
  }

  holdEnvironment(workspaceId: string, name: string): Promise<HeldEnvironment | null> {
    return this.database.one<HeldEnvironment>(HOLD_ENVIRONMENT, [workspaceId, name]);
  }

  /** How many of a kind a workspace has, counted no further than `most`. Whoever asks as well waits until this transaction ends. */
  async countLocked({ table }: AutomationKind, workspaceId: string, most: number): Promise<number> {
    await this.database.execute('SELECT FROM workspaces WHERE id = $1 FOR NO KEY UPDATE', [workspaceId]);
    return (await this.database.one<{ count: number }>(count(table), [workspaceId, most]))!.count;
  }

  /** Keeps a script from being archived until the transaction ends. False: it is already. */
  async holdScript(id: string): Promise<boolean> {
    return (await this.database.execute(HOLD_SCRIPT, [id])).count > 0;
  }
}

const FIND_SCRIPT = `
  SELECT c.id FROM scripts c WHERE c.workspace_id = $1 AND c.slug = $4
    AND ${scriptIsVisible({ alias: 'c', roleParameter: '$2', userParameter: '$3' })}`;

const ENVIRONMENT = columns(Environment, 'e', 'id', 'name', 'approvalPolicy', 'agentsAllowed');
const HOLD_ENVIRONMENT = `
  SELECT ${ENVIRONMENT}, clock_timestamp() AS now FROM environments e
  WHERE e.workspace_id = $1 AND e.name = $2 AND e.deleted_at IS NULL FOR SHARE`;

const count = (table: string): string => `
  SELECT count(*)::int AS count FROM (
    SELECT FROM environments e JOIN ${table} a ON a.environment_id = e.id WHERE e.workspace_id = $1 LIMIT $2) AS known`;

const HOLD_SCRIPT = `SELECT FROM scripts WHERE id = $1 AND status <> 'archived' FOR SHARE`;

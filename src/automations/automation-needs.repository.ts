import { Injectable } from '@nestjs/common';

import { Database } from '../core/database/database.js';
import type { ScriptViewer } from '../scripts/script-viewer.js';
import { scriptIsVisible } from '../core/access/script-visibility.js';

/** An environment that stays as it is until the transaction ends. */
export interface HeldEnvironment {
  id: string;
  name: string;
  agentsAllowed: boolean;
  /** By the database's clock. */
  now: Date;
}

@Injectable()
export class AutomationNeedsRepository {
  constructor(private readonly database: Database) {}

  /** The script's id, if that viewer may know it. */
  findScript({ workspaceId, role, userId }: ScriptViewer, slug: string): Promise<{ id: string } | null> {
    return this.database.one<{ id: string }>(FIND_SCRIPT, [workspaceId, role, userId, slug]);
  }

  holdEnvironment(workspaceId: string, name: string): Promise<HeldEnvironment | null> {
    return this.database.one<HeldEnvironment>(
      `SELECT id, name, agents_allowed AS "agentsAllowed", clock_timestamp() AS now FROM environments
       WHERE workspace_id = $1 AND name = $2 AND deleted_at IS NULL FOR SHARE`,
      [workspaceId, name],
    );
  }

  /** Keeps a script from being archived until the transaction ends. False: it is already. */
  async holdScript(id: string): Promise<boolean> {
    const found = await this.database.execute(
      `SELECT FROM scripts WHERE id = $1 AND status <> 'archived' FOR SHARE`,
      [id],
    );
    return found.count > 0;
  }
}

const FIND_SCRIPT = `
  SELECT c.id FROM scripts c WHERE c.workspace_id = $1 AND c.slug = $4
    AND ${scriptIsVisible({ alias: 'c', roleParameter: '$2', userParameter: '$3' })}`;

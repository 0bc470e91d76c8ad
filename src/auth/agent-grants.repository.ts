import { Injectable } from '@nestjs/common';

import { Database } from '../core/database/database.js';
import { Expires } from '../core/work/expires.decorator.js';

export interface NewGrant {
  id: string;
  userId: string;
  workspaceId: string;
  appName: string;
  scopes: readonly string[];
}

@Injectable()
export class AgentGrantsRepository {
  constructor(private readonly database: Database) {}

  async insert({ id, userId, workspaceId, appName, scopes }: NewGrant): Promise<void> {
    await this.database.execute(
      'INSERT INTO agent_grants (id, user_id, workspace_id, app_name, scopes) VALUES ($1, $2, $3, $4, $5)',
      [id, userId, workspaceId, appName, scopes],
    );
  }

  async insertAccessToken(hash: Buffer, grantId: string, seconds: number): Promise<void> {
    await this.database.execute(
      `INSERT INTO agent_access_tokens (hash, grant_id, expires_at)
       VALUES ($1, $2, now() + $3::integer * interval '1 second')`,
      [hash, grantId, seconds],
    );
  }

  async revokeOf(userId: string, workspaceId: string): Promise<void> {
    await this.database.execute(
      'UPDATE agent_grants SET revoked_at = now() WHERE user_id = $1 AND workspace_id = $2 AND revoked_at IS NULL',
      [userId, workspaceId],
    );
  }

  @Expires()
  async deleteExpiredTokens(): Promise<number> {
    return (await this.database.execute('DELETE FROM agent_access_tokens WHERE expires_at < now()')).count;
  }
}

import { DataSource } from 'typeorm';

import { AuditTrail } from '../../../../src/audit/audit-trail.js';
import { AgentGrantsRepository } from '../../../../src/auth/agent-grants.repository.js';
import { AgentGrants } from '../../../../src/auth/agent-grants.service.js';
import { SCOPES } from '../../../../src/core/access/scopes.js';
import { Database } from '../../../../src/core/database/database.js';

/** Lets an app act for a person, by the very service that does so once they have consented. Gives the app's token. */
export async function connectApp(
  databaseUrl: string,
  grant: { userId: string; workspaceId: string; without?: string },
): Promise<string> {
  const source = await new DataSource({ type: 'postgres', url: databaseUrl }).initialize();
  try {
    const database = new Database(source);
    const grants = new AgentGrants(new AgentGrantsRepository(database), new AuditTrail(database), database);
    const { accessToken } = await grants.issue({
      userId: grant.userId,
      workspaceId: grant.workspaceId,
      appName: 'An app',
      scopes: SCOPES.filter((scope) => scope !== grant.without),
    });
    return accessToken;
  } finally {
    await source.destroy();
  }
}

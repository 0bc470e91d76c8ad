import { DataSource } from 'typeorm';

import { AuditTrail } from '../../../../src/audit/audit-trail.js';
import { AgentAccessToken } from '../../../../src/auth/agent-access-token.entity.js';
import { AgentGrant } from '../../../../src/auth/agent-grant.entity.js';
import { AgentGrantsRepository } from '../../../../src/auth/agent-grants.repository.js';
import { AgentGrantsService, User } from '../../../../src/auth/index.js';
import { SCOPES } from '../../../../src/core/access/scopes.js';
import { ConnectionOptions } from '../../../../src/core/database/connection-options.js';
import { dataSourceOptions } from '../../../../src/core/database/data-source.js';
import { Database } from '../../../../src/core/database/database.js';
import { Environment } from '../../../../src/environments/environment.entity.js';
import { Workspace } from '../../../../src/workspaces/index.js';

const ENTITIES = [AgentAccessToken, AgentGrant, Environment, User, Workspace];

/** Lets an app act for a person, by the very service that does so once they have consented. Gives the app's token. */
export async function connectApp(
  databaseUrl: string,
  grant: { userId: string; workspaceId: string; without?: string },
): Promise<string> {
  const source = await new DataSource({
    ...dataSourceOptions(new ConnectionOptions(databaseUrl, 1)),
    entities: ENTITIES,
  }).initialize();
  try {
    const database = new Database(source);
    const rows = new AgentGrantsRepository(
      source.getRepository(AgentGrant),
      source.getRepository(AgentAccessToken),
    );
    const grants = new AgentGrantsService(rows, new AuditTrail(database), database);
    const { accessToken } = await grants.issue({
      userId: grant.userId,
      workspaceId: grant.workspaceId,
      appName: 'An app',
      clientId: 'https://app.test/client.json',
      scopes: SCOPES.filter((scope) => scope !== grant.without),
    });
    return accessToken;
  } finally {
    await source.destroy();
  }
}

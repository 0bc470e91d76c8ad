import { Injectable } from '@nestjs/common';

import { type AuditActor, AuditTrail } from '../audit/index.js';
import type { Scope } from '../core/access/scopes.js';
import { newId } from '../core/crypto/ids.js';
import { issueToken } from '../core/crypto/tokens.js';
import { Database } from '../core/database/database.js';
import { AgentGrantsRepository } from './agent-grants.repository.js';

export const ACCESS_TOKEN_SECONDS = 3600;

export interface NewAgentGrant {
  userId: string;
  workspaceId: string;
  /** The app's name, as the audit trail shows it. */
  appName: string;
  clientId: string;
  scopes: Scope[];
}

export interface IssuedGrant {
  grantId: string;
  /** Good for an hour. */
  accessToken: string;
}

/** What people granted to apps that act for them, each in one workspace. */
@Injectable()
export class AgentGrantsService {
  constructor(
    private readonly grants: AgentGrantsRepository,
    private readonly audit: AuditTrail,
    private readonly database: Database,
  ) {}

  issue(grant: NewAgentGrant): Promise<IssuedGrant> {
    const grantId = newId('grant');
    const { token, hash } = issueToken('access');
    const { userId, workspaceId, appName, clientId, scopes } = grant;
    const target = { type: 'app', id: grantId };
    return this.database.transaction(async () => {
      await this.grants.insert({ id: grantId, userId, workspaceId, appName, clientId, scopes });
      await this.grants.insertAccessToken(hash, grantId, ACCESS_TOKEN_SECONDS);
      await this.audit.record(workspaceId, inTheApp(userId), 'app.connected', target, {
        name: appName,
        scopes,
      });
      return { grantId, accessToken: token };
    });
  }

  /** What a person granted for a workspace opens nothing any more, even if they come back to it. */
  async revokeOf(userId: string, workspaceId: string): Promise<void> {
    await this.grants.revokeOf(userId, workspaceId);
  }

  /** For a workspace that is deleted. */
  async revokeAllIn(workspaceId: string): Promise<void> {
    await this.grants.revokeAllIn(workspaceId);
  }
}

/** A person consents in the app itself, signed in. */
function inTheApp(userId: string): AuditActor {
  return { type: 'user', userId, credentialType: null, credentialName: null };
}

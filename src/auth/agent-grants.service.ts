import { Injectable } from '@nestjs/common';

import { type AuditActor, AuditTrail, SYSTEM } from '../audit/index.js';
import type { Caller } from '../core/access/index.js';
import { hashToken, isId, newId } from '../core/crypto/index.js';
import { Database } from '../core/database/index.js';
import type { AgentGrant } from './agent-grant.entity.js';
import {
  AgentGrantsRepository,
  type EndedGrant,
  type NewGrant,
  type PlacedGrant,
} from './agent-grants.repository.js';
import { CredentialLockService } from './credential-lock.service.js';

export const ACCESS_TOKEN_SECONDS = 3600;
/** An app that has not fetched its tokens by then has to ask again. */
const UNFETCHED_SECONDS = 900;

type GrantedToApp = Omit<NewGrant, 'id'>;

/** What people granted to apps that act for them, each in one workspace. */
@Injectable()
export class AgentGrantsService {
  constructor(
    private readonly grants: AgentGrantsRepository,
    private readonly credentialLock: CredentialLockService,
    private readonly audit: AuditTrail,
    private readonly database: Database,
  ) {}

  /** Returns the grant's id. */
  connect(grant: GrantedToApp, by: Caller): Promise<string> {
    const id = newId('grant');
    const { workspaceId, appName, clientId, scopes, scriptIds, scriptTags } = grant;
    return this.database.transaction(async () => {
      await this.credentialLock.assertOpen(by);
      await this.grants.insert({ id, ...grant }, UNFETCHED_SECONDS);
      const details = {
        name: appName,
        clientId,
        scopes,
        ...(scriptIds && { scriptIds }),
        ...(scriptTags && { scriptTags }),
      };
      await this.audit.record(workspaceId, by, 'app.connected', { type: 'app', id }, details);
      return id;
    });
  }

  /** null: it opens nothing any more. */
  async findLive(id: string): Promise<AgentGrant | null> {
    return isId('grant', id) ? this.grants.findLive(id) : null;
  }

  /** Those of a person that may still act, newest first, with the names of where they act. */
  listOf(userId: string, after: string | null, count: number): Promise<PlacedGrant[]> {
    return this.grants.listOf(userId, after, count);
  }

  /** Whether an app, by its client id, may act for the person anywhere. */
  isConnected(userId: string, clientId: string): Promise<boolean> {
    return this.grants.isConnected(userId, clientId);
  }

  addAccessToken(grantId: string, token: string, seconds: number): Promise<void> {
    return this.grants.insertAccessToken(hashToken(token), grantId, seconds);
  }

  /** Lets the grant live for at least so long from now. */
  prolong(grantId: string, seconds: number): Promise<void> {
    return this.grants.prolong(grantId, seconds);
  }

  grantOfToken(token: string): Promise<string | null> {
    return this.grants.grantOfToken(hashToken(token));
  }

  deleteToken(token: string): Promise<void> {
    return this.grants.deleteToken(hashToken(token));
  }

  deleteTokensOf(grantId: string): Promise<void> {
    return this.grants.deleteTokensOf(grantId);
  }

  /** The person ends it: it opens nothing from then on. False: they have no such grant. */
  async disconnect(id: string, by: Caller): Promise<boolean> {
    if (!isId('grant', id)) return false;
    return this.database.transaction(async () => {
      const ended = await this.grants.end(id, by.person!.id);
      if (ended) await this.recordEnd(ended, by);
      return ended !== null;
    });
  }

  /** What may be used through it from now on. False: they have no such grant. */
  async setBudget(id: string, budget: object | null, by: Caller): Promise<boolean> {
    if (!isId('grant', id)) return false;
    return this.database.transaction(async () => {
      const grant = await this.grants.setBudget(id, by.person!.id, budget);
      if (!grant) return false;
      const target = { type: 'app', id };
      const details = { name: grant.appName, budget };
      await this.audit.record(grant.workspaceId, by, 'app.budget_changed', target, details);
      return true;
    });
  }

  /** null: the person has no such grant. */
  async findOf(id: string, userId: string): Promise<AgentGrant | null> {
    return isId('grant', id) ? this.grants.findOf(id, userId) : null;
  }

  /** The app gave it back, or its tokens were used by two. */
  async end(id: string, reason: 'by_app' | 'token_used_twice'): Promise<void> {
    await this.database.transaction(async () => {
      const ended = await this.grants.end(id, null);
      if (ended) await this.recordEnd(ended, reason === 'by_app' ? theApp(ended) : SYSTEM, reason);
    });
  }

  /** The operator takes an app away: what anybody granted it opens nothing any more. Returns how many grants that were. */
  async endAllOf(clientId: string): Promise<number> {
    const ids = await this.grants.idsOfClient(clientId);
    for (const id of ids) {
      const ended = await this.grants.end(id, null);
      if (ended) await this.recordEnd(ended, STAFF, 'app_removed');
    }
    return ids.length;
  }

  /** What a person granted for a workspace opens nothing any more, even if they come back to it. */
  async revokeOf(userId: string, workspaceId: string): Promise<void> {
    await this.grants.revokeOf(userId, workspaceId);
  }

  /** For a workspace that is deleted. */
  async revokeAllIn(workspaceId: string): Promise<void> {
    await this.grants.revokeAllIn(workspaceId);
  }

  private recordEnd(grant: EndedGrant, by: Caller | AuditActor, reason?: string): Promise<void> {
    const details = { name: grant.appName, ...(reason !== undefined && { reason }) };
    const target = { type: 'app', id: grant.id };
    return this.audit.record(grant.workspaceId, by, 'app.disconnected', target, details);
  }
}

const STAFF: AuditActor = {
  type: 'staff',
  userId: null,
  credentialType: null,
  credentialName: null,
};

function theApp({ userId, appName }: EndedGrant): AuditActor {
  return { type: 'user', userId, credentialType: 'pat', credentialName: appName };
}

import { Injectable } from '@nestjs/common';

import type { AuditActor } from '../audit/index.js';
import type { Caller } from '../core/access/index.js';
import { isId, issueToken, newId } from '../core/crypto/index.js';
import { Database, keysetPage, type Page, type PageRequest } from '../core/database/index.js';
import { InvalidRequest, NotFound } from '../core/errors/index.js';
import { AccountAuditService } from './account-audit.service.js';
import { AgentGrantsService } from './agent-grants.service.js';
import { CredentialLockService } from './credential-lock.service.js';
import type { PersonalTokenCreatedDto, PersonalTokenDto, PersonalTokenInput } from './personal-token.dto.js';
import { expiryProblems, scopeProblems, workspaceProblems } from './personal-token.rules.js';
import { PersonalTokensRepository, type RevokedToken } from './personal-tokens.repository.js';
import type { PersonalTokenRow } from './personal-tokens.sql.js';
import { UsersRepository } from './users.repository.js';

/** Personal access tokens. The audit trail of each workspace in which one may act says what happens to it. */
@Injectable()
export class PersonalTokensService {
  constructor(
    private readonly tokens: PersonalTokensRepository,
    private readonly users: UsersRepository,
    private readonly audit: AccountAuditService,
    private readonly grants: AgentGrantsService,
    private readonly credentialLock: CredentialLockService,
    private readonly database: Database,
  ) {}

  list(userId: string, request: PageRequest): Promise<Page<PersonalTokenDto>> {
    const fetch = (after: string | null, count: number) => this.tokens.list(userId, after, count);
    return keysetPage(request, { list: 'personal-tokens', filters: { userId } }, fetch, present);
  }

  async create(
    userId: string,
    { name, scopes, ...input }: PersonalTokenInput,
    by: Caller | AuditActor,
  ): Promise<PersonalTokenCreatedDto> {
    const own = await this.users.workspacesOf(userId);
    const slugs = own.map(({ slug }) => slug);
    const expiresAt = input.expiresAt == null ? null : new Date(input.expiresAt);
    const problems = [
      ...scopeProblems(scopes),
      ...workspaceProblems(input.workspaces ?? [], slugs),
      ...expiryProblems(expiresAt, new Date()),
    ];
    if (problems.length > 0) throw InvalidRequest.listing(problems);
    const chosen = input.workspaces ? own.filter(({ slug }) => input.workspaces!.includes(slug)) : null;
    const workspaceIds = chosen?.map((workspace) => workspace.id) ?? null;
    const { token, hash, last4 } = issueToken('personal');
    const id = newId('personalToken');
    return this.database.transaction(async () => {
      if ('kind' in by) await this.credentialLock.assertOpen(by);
      const made = { id, userId, name, scopes, workspaceIds, hash, last4, expiresAt };
      const createdAt = await this.tokens.insert(made);
      const target = { type: 'personal_token', id };
      const details = { name, scopes, ...(expiresAt && { expiresAt }) };
      await this.audit.record({
        userId,
        by,
        action: 'personal_token.created',
        target,
        details,
        workspaceIds,
      });
      const workspaces = chosen?.map(({ slug }) => slug) ?? null;
      return {
        ...present({ ...made, workspaces, lastUsedAt: null, lastUsedAddress: null, createdAt }),
        token,
      };
    });
  }

  async revoke(userId: string, id: string, by: Caller): Promise<void> {
    await this.database.transaction(async () => {
      const revoked = isId('personalToken', id) ? await this.tokens.revoke(id, userId) : null;
      if (!revoked) throw new NotFound('personal access token');
      await this.recordRevoked(revoked, by);
    });
  }

  /** Revokes the token that the request came with. A second request for it at the same time finds it done. */
  async revokeOwn(caller: Caller): Promise<void> {
    // The command line's token is one of a grant, which ends with it.
    if (await this.grants.disconnect(caller.credentialId, caller)) return;
    await this.database.transaction(async () => {
      const revoked = await this.tokens.revoke(caller.credentialId, caller.person!.id);
      if (revoked) await this.recordRevoked(revoked, caller);
    });
  }

  private recordRevoked({ id, name, userId, workspaceIds }: RevokedToken, by: Caller): Promise<void> {
    const target = { type: 'personal_token', id };
    const action = 'personal_token.revoked';
    return this.audit.record({ userId, by, action, target, details: { name }, workspaceIds });
  }
}

function present(row: PersonalTokenRow): PersonalTokenDto {
  return {
    id: row.id,
    name: row.name,
    scopes: row.scopes,
    workspaces: row.workspaces,
    last4: row.last4,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    lastUsedAddress: row.lastUsedAddress,
    createdAt: row.createdAt.toISOString(),
  };
}

import { Injectable } from '@nestjs/common';

import { type AuditActor, AuditTrail } from '../audit/index.js';
import type { Caller } from '../core/access/caller.js';
import { isId, newId } from '../core/crypto/ids.js';
import { issueToken } from '../core/crypto/tokens.js';
import { Database } from '../core/database/database.js';
import { type Page, type PageRequest, keysetPage } from '../core/database/page.js';
import { type ErrorDetail, InvalidRequest, NotFound } from '../core/errors/problems.js';
import type { PersonalTokenCreatedDto, PersonalTokenDto, PersonalTokenInput } from './personal-token.dto.js';
import {
  PersonalTokensRepository,
  type PersonalTokenRow,
  type RevokedToken,
} from './personal-tokens.repository.js';
import { expiryProblems, scopeProblems, workspaceProblems } from './token-grant.js';
import { UsersRepository, type WorkspaceOfUser } from './users.repository.js';

/** Personal access tokens. What happens to one is told to the audit trail of each workspace in which it may act. */
@Injectable()
export class PersonalTokens {
  constructor(
    private readonly tokens: PersonalTokensRepository,
    private readonly users: UsersRepository,
    private readonly audit: AuditTrail,
    private readonly database: Database,
  ) {}

  list(userId: string, request: PageRequest): Promise<Page<PersonalTokenDto>> {
    const fetch = (after: string | null, count: number) => this.tokens.list(userId, after, count);
    return keysetPage(request, { list: 'personal-tokens', filters: { userId } }, fetch, present);
  }

  async create(
    userId: string,
    input: PersonalTokenInput,
    by: Caller | AuditActor,
  ): Promise<PersonalTokenCreatedDto> {
    const own = await this.users.workspacesOf(userId);
    const expiresAt = input.expiresAt == null ? null : new Date(input.expiresAt);
    refuse([
      ...scopeProblems(input.scopes),
      ...workspaceProblems(
        input.workspaces ?? [],
        own.map(({ slug }) => slug),
      ),
      ...expiryProblems(expiresAt, new Date()),
    ]);
    const chosen = input.workspaces ? own.filter(({ slug }) => input.workspaces!.includes(slug)) : null;
    const { token, hash, last4 } = issueToken('personal');
    const { name, scopes } = input;
    const id = newId('personalToken');
    const workspaceIds = chosen?.map((workspace) => workspace.id) ?? null;
    return this.database.transaction(async () => {
      const row = await this.tokens.insert({
        id,
        userId,
        name,
        scopes,
        workspaceIds,
        hash,
        last4,
        expiresAt,
      });
      for (const { id: workspaceId } of chosen ?? own) {
        await this.audit.record(
          workspaceId,
          by,
          'personal_token.created',
          { type: 'personal_token', id },
          { name, scopes },
        );
      }
      return { ...present(row), token };
    });
  }

  async revoke(userId: string, id: string, by: Caller): Promise<void> {
    await this.database.transaction(async () => {
      const revoked = isId('personalToken', id) ? await this.tokens.revoke(id, userId) : null;
      if (!revoked) throw new NotFound('personal access token');
      await this.tell(revoked, by);
    });
  }

  /** Revokes the token that the request came with. A second one on its way at the same time finds it done. */
  async revokeOwn(caller: Caller): Promise<void> {
    await this.database.transaction(async () => {
      const revoked = await this.tokens.revoke(caller.credentialId, caller.person!.id);
      if (revoked) await this.tell(revoked, caller);
    });
  }

  private async tell({ id, name, userId, workspaceIds }: RevokedToken, by: Caller): Promise<void> {
    const own = await this.users.workspacesOf(userId);
    const reached = ({ id: workspaceId }: WorkspaceOfUser) => workspaceIds?.includes(workspaceId) ?? true;
    for (const workspace of own.filter(reached)) {
      await this.audit.record(
        workspace.id,
        by,
        'personal_token.revoked',
        { type: 'personal_token', id },
        { name },
      );
    }
  }
}

function refuse(problems: ErrorDetail[]): void {
  if (problems.length === 0) return;
  throw new InvalidRequest(problems.map(({ path, message }) => `${path}: ${message}`).join('; '), problems);
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
    createdAt: row.createdAt.toISOString(),
  };
}

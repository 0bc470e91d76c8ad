import { Injectable } from '@nestjs/common';

import { type AuditActor, AuditTrail } from '../audit/index.js';
import { expiryProblems, scopeProblems } from '../auth/index.js';
import type { Caller, Scope } from '../core/access/index.js';
import { isId, issueToken, newId } from '../core/crypto/index.js';
import { Database, keysetPage, type Page, type PageRequest } from '../core/database/index.js';
import { InvalidRequest, NotFound } from '../core/errors/index.js';
import { EnvironmentsService } from '../environments/index.js';
import type { ApiKeyCreatedDto, ApiKeyDto, ApiKeyInput } from './api-key.dto.js';
import type { ApiKey } from './api-key.entity.js';
import { ApiKeysRepository } from './api-keys.repository.js';

/** The keys that act for a workspace, in all of its environments or in one. */
@Injectable()
export class ApiKeysService {
  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly environments: EnvironmentsService,
    private readonly audit: AuditTrail,
    private readonly database: Database,
  ) {}

  list(workspaceId: string, request: PageRequest): Promise<Page<ApiKeyDto>> {
    const fetch = (after: string | null, count: number) => this.keys.list(workspaceId, after, count);
    return keysetPage(request, { list: 'api-keys', filters: { workspaceId } }, fetch, (key) =>
      present(key, key.environment?.name ?? null),
    );
  }

  /** `holder`: the user id of who gets the key, where that is somebody else than who makes it. */
  create(
    workspaceId: string,
    { name, environment = null, ...input }: ApiKeyInput,
    by: Caller | AuditActor,
    holder?: string | null,
  ): Promise<ApiKeyCreatedDto> {
    const scopes = (input.scopes ?? null) as Scope[] | null;
    const expiresAt = input.expiresAt == null ? null : new Date(input.expiresAt);
    const problems = [...scopeProblems(scopes ?? []), ...expiryProblems(expiresAt, new Date())];
    if (problems.length > 0) throw InvalidRequest.listing(problems);
    const { token, hash, last4 } = issueToken('apiKey');
    const id = newId('apiKey');
    const createdByUserId = holder ?? ('kind' in by ? (by.person?.id ?? null) : by.userId);
    return this.database.transaction(async () => {
      const environmentId = environment === null ? null : await this.boundTo(workspaceId, environment);
      const made = { id, workspaceId, environmentId, name, scopes, expiresAt, hash, last4, createdByUserId };
      const createdAt = await this.keys.insert(made);
      const target = { type: 'api_key', id };
      const details = { name, environment, ...(scopes && { scopes }), ...(expiresAt && { expiresAt }) };
      await this.audit.record(workspaceId, by, 'api_key.created', target, details);
      const unused = { lastUsedAt: null, lastUsedAddress: null };
      return { ...present({ ...made, ...unused, createdAt }, environment), key: token };
    });
  }

  async revoke(workspaceId: string, id: string, by: Caller): Promise<void> {
    await this.database.transaction(async () => {
      const name = isId('apiKey', id) ? await this.keys.revoke(workspaceId, id) : null;
      if (name === null) throw new NotFound('API key');
      await this.audit.record(workspaceId, by, 'api_key.revoked', { type: 'api_key', id }, { name });
    });
  }

  /** All keys of a workspace that is deleted. */
  async revokeAll(workspaceId: string): Promise<void> {
    await this.keys.revokeAll(workspaceId);
  }

  /** Held until the key is made, so that no key is bound to an environment that is being deleted. */
  private async boundTo(workspaceId: string, name: string): Promise<string> {
    const id = await this.environments.idOf(workspaceId, name);
    if (id === null || !(await this.environments.hold(workspaceId, id))) {
      throw InvalidRequest.at('environment', 'is not an environment of this workspace');
    }
    return id;
  }
}

function present(
  row: Omit<ApiKey, 'environment' | 'expiryToldAt' | 'revokedAt'>,
  environment: string | null,
): ApiKeyDto {
  return {
    id: row.id,
    name: row.name,
    environment,
    last4: row.last4,
    createdByUserId: row.createdByUserId,
    scopes: row.scopes,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    lastUsedAddress: row.lastUsedAddress,
    createdAt: row.createdAt.toISOString(),
  };
}

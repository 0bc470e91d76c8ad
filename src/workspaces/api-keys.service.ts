import { Injectable } from '@nestjs/common';

import { type AuditActor, AuditTrail } from '../audit/index.js';
import type { Caller } from '../core/access/index.js';
import { isId, issueToken, newId } from '../core/crypto/index.js';
import { Database, keysetPage, type Page, type PageRequest } from '../core/database/index.js';
import { InvalidRequest, NotFound } from '../core/errors/index.js';
import { EnvironmentsService } from '../environments/index.js';
import type { ApiKeyCreatedDto, ApiKeyDto, ApiKeyInput } from './api-key.dto.js';
import type { ApiKey } from './api-key.entity.js';
import { ApiKeysRepository, type NewApiKey } from './api-keys.repository.js';

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
    { name, environment = null }: ApiKeyInput,
    by: Caller | AuditActor,
    holder?: string | null,
  ): Promise<ApiKeyCreatedDto> {
    const { token, hash, last4 } = issueToken('apiKey');
    const id = newId('apiKey');
    const createdByUserId = holder ?? ('kind' in by ? (by.person?.id ?? null) : by.userId);
    return this.database.transaction(async () => {
      const environmentId = environment === null ? null : await this.boundTo(workspaceId, environment);
      const made = { id, workspaceId, environmentId, name, hash, last4, createdByUserId };
      const createdAt = await this.keys.insert(made);
      const target = { type: 'api_key', id };
      await this.audit.record(workspaceId, by, 'api_key.created', target, { name, environment });
      return { ...present({ ...made, lastUsedAt: null, createdAt }, environment), key: token };
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
  row: NewApiKey & Pick<ApiKey, 'lastUsedAt' | 'createdAt'>,
  environment: string | null,
): ApiKeyDto {
  return {
    id: row.id,
    name: row.name,
    environment,
    last4: row.last4,
    createdByUserId: row.createdByUserId,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}

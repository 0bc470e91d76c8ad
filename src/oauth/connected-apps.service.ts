import { Injectable } from '@nestjs/common';

import { AgentGrantsService } from '../auth/index.js';
import type { Caller } from '../core/access/caller.js';
import { type Page, type PageRequest, keysetPage } from '../core/database/page.js';
import { NotFound } from '../core/errors/problems.js';
import type { ConnectedAppDto } from './connected-app.dto.js';
import { type ConnectedAppRow, ConnectedAppsRepository } from './connected-apps.repository.js';

/** The apps that a person has connected. */
@Injectable()
export class ConnectedAppsService {
  constructor(
    private readonly apps: ConnectedAppsRepository,
    private readonly grants: AgentGrantsService,
  ) {}

  list(userId: string, request: PageRequest): Promise<Page<ConnectedAppDto>> {
    const fetch = (after: string | null, count: number) => this.apps.list(userId, after, count);
    return keysetPage(request, { list: 'connected-apps', filters: { userId } }, fetch, present);
  }

  async disconnect(id: string, by: Caller): Promise<void> {
    if (!(await this.grants.disconnect(id, by))) throw new NotFound('connected app');
  }
}

function present(row: ConnectedAppRow): ConnectedAppDto {
  return {
    id: row.id,
    name: row.appName,
    host: row.clientId.startsWith('https://') ? new URL(row.clientId).host : null,
    workspace: { slug: row.workspaceSlug, name: row.workspaceName },
    environment: row.environmentName,
    scopes: row.scopes,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}

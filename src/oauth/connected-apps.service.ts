import { Injectable } from '@nestjs/common';

import { AgentGrantsService, type PlacedGrant } from '../auth/index.js';
import type { Caller } from '../core/access/index.js';
import { keysetPage, type Page, type PageRequest } from '../core/database/index.js';
import { NotFound } from '../core/errors/index.js';
import type { ConnectedAppDto } from './connected-app.dto.js';

@Injectable()
export class ConnectedAppsService {
  constructor(private readonly grants: AgentGrantsService) {}

  list(userId: string, request: PageRequest): Promise<Page<ConnectedAppDto>> {
    const fetch = (after: string | null, count: number) => this.grants.listOf(userId, after, count);
    return keysetPage(request, { list: 'connected-apps', filters: { userId } }, fetch, present);
  }

  async disconnect(id: string, by: Caller): Promise<void> {
    if (!(await this.grants.disconnect(id, by))) throw new NotFound('connected app');
  }
}

function present({ workspace, environment, ...row }: PlacedGrant): ConnectedAppDto {
  return {
    id: row.id,
    name: row.appName,
    host: row.clientId.startsWith('https://') ? new URL(row.clientId).host : null,
    workspace: { slug: workspace.slug, name: workspace.name },
    environment: environment?.name ?? null,
    scopes: row.scopes,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}

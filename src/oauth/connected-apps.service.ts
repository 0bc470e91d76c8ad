import { Injectable } from '@nestjs/common';

import { AgentGrantsService, type PlacedGrant } from '../auth/index.js';
import type { Caller } from '../core/access/index.js';
import { keysetPage, type Page, type PageRequest } from '../core/database/index.js';
import { NotFound } from '../core/errors/index.js';
import { AgentBudgetsService, type AgentUsageDto } from '../usage/index.js';
import type { ConnectedAppDto, ConnectedAppPatch } from './connected-app.dto.js';
import { knownBy } from './oauth-clients.js';

@Injectable()
export class ConnectedAppsService {
  constructor(
    private readonly grants: AgentGrantsService,
    private readonly budgets: AgentBudgetsService,
  ) {}

  list(userId: string, request: PageRequest): Promise<Page<ConnectedAppDto>> {
    const fetch = (after: string | null, count: number) => this.grants.listOf(userId, after, count);
    return keysetPage(request, { list: 'connected-apps', filters: { userId } }, fetch, present);
  }

  async change(id: string, { budget: sent }: ConnectedAppPatch, by: Caller): Promise<void> {
    const budget = sent === undefined ? undefined : this.budgets.parse(sent, 'budget');
    const found = await this.grants.findOf(id, by.person!.id);
    if (!found) throw new NotFound('connected app');
    if (budget === undefined) return;
    if (!(await this.grants.setBudget(id, budget, by))) throw new NotFound('connected app');
  }

  async usage(id: string, userId: string): Promise<AgentUsageDto> {
    const grant = await this.grants.findOf(id, userId);
    if (!grant) throw new NotFound('connected app');
    return this.budgets.usage(grant.workspaceId, id);
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
    registered: knownBy(row.clientId),
    redirectHost: row.redirectHost,
    workspace: { slug: workspace.slug, name: workspace.name },
    environment: environment?.name ?? null,
    scopes: row.scopes,
    scripts: row.scriptIds?.length ?? null,
    scriptTags: row.scriptTags,
    budget: row.budget,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}

import { Injectable } from '@nestjs/common';

import { assertMayLoosen, type Loosening, type WorkspaceCaller } from '../core/access/index.js';
import { newId } from '../core/crypto/index.js';
import { Database, keysetPage, type Page, type PageRequest } from '../core/database/index.js';
import { Conflict, InvalidRequest, NotFound } from '../core/errors/index.js';
import { changedFields, patched } from '../core/json/index.js';
import { ScriptCatalogService, viewerOf } from '../scripts/index.js';
import { AgentBudgetsService, type AgentUsageDto, isLaxerBudget } from '../usage/index.js';
import { AGENT_FIELDS, type AgentField, type AgentSettings } from './agent.changes.js';
import { type AgentDto, type AgentInput, type AgentPatch, MOST_SCRIPTS } from './agent.dto.js';
import { AgentEventWriter } from './agent.events.js';
import { AgentsRepository } from './agents.repository.js';
import type { AgentRow } from './agents.sql.js';

@Injectable()
export class AgentsService {
  constructor(
    private readonly agents: AgentsRepository,
    private readonly scripts: ScriptCatalogService,
    private readonly events: AgentEventWriter,
    private readonly budgets: AgentBudgetsService,
    private readonly database: Database,
  ) {}

  list(caller: WorkspaceCaller, request: PageRequest): Promise<Page<AgentDto>> {
    const viewer = viewerOf(caller);
    const fetch = (after: string | null, count: number) => this.agents.list(viewer, after, count);
    return keysetPage(request, { list: 'agents', filters: viewer }, fetch, present);
  }

  async get(caller: WorkspaceCaller, slug: string): Promise<AgentDto> {
    return present(await this.find(caller, slug));
  }

  /** As it is stored. @throws NotFound */
  async find(caller: WorkspaceCaller, slug: string): Promise<AgentRow> {
    const row = await this.agents.find(viewerOf(caller), slug);
    if (!row) throw new NotFound('agent');
    return row;
  }

  /** What was used by it, whoever asked it. */
  async usage(caller: WorkspaceCaller, slug: string): Promise<AgentUsageDto> {
    const { id } = await this.find(caller, slug);
    return this.budgets.usage(caller.workspace.id, id);
  }

  create(caller: WorkspaceCaller, input: AgentInput): Promise<AgentDto> {
    const { slug, name, instructions = '', model = null, enabled = true, approvalPolicy = 'none' } = input;
    const budget = this.budgets.parse(input.budget ?? null, 'budget');
    const id = newId('agent');
    return this.database.transaction(async () => {
      const scripts = await this.slugs(caller, input.scripts ?? []);
      const workspaceId = caller.workspace.id;
      const createdByUserId = caller.person?.id ?? null;
      const rules = { approvalPolicy, budget };
      const agent = {
        id,
        workspaceId,
        slug,
        name,
        instructions,
        model,
        scripts,
        enabled,
        ...rules,
        createdByUserId,
      };
      if (!(await this.agents.insert(agent))) {
        throw new Conflict(`There is an agent with the slug "${slug}" already. Choose another.`);
      }
      await this.events.add('agent.created', caller, agent);
      return this.get(caller, slug);
    });
  }

  change(caller: WorkspaceCaller, slug: string, patch: AgentPatch): Promise<AgentDto> {
    const budget = patch.budget === undefined ? undefined : this.budgets.parse(patch.budget, 'budget');
    return this.database.transaction(async () => {
      const before = await this.lock(caller, slug);
      const scripts = await this.scriptsAfter(caller, before, patch.scripts);
      const after = patched<AgentSettings>(AGENT_FIELDS, before, { ...patch, scripts, budget });
      const changed = changedFields<AgentSettings, AgentField>(AGENT_FIELDS, before, after);
      if (changed.length === 0) return present(before);
      assertMayLoosen(caller, loosened(before, after));
      await this.agents.update(before.id, after);
      await this.events.add('agent.updated', caller, { ...before, name: after.name }, changed);
      return this.get(caller, slug);
    });
  }

  delete(caller: WorkspaceCaller, slug: string): Promise<void> {
    return this.database.transaction(async () => {
      const agent = await this.lock(caller, slug);
      // Its slug is free then for one without its rules.
      assertMayLoosen(caller, loosened(agent, { ...agent, approvalPolicy: 'none', budget: null }));
      await this.agents.delete(agent.id);
      await this.events.add('agent.deleted', caller, agent);
    });
  }

  private async lock(caller: WorkspaceCaller, slug: string): Promise<AgentRow> {
    const row = await this.agents.lock(viewerOf(caller), slug);
    if (!row) throw new NotFound('agent');
    return row;
  }

  /** Whoever does not see a script cannot take it from the agent either. */
  private async scriptsAfter(
    caller: WorkspaceCaller,
    { scripts, visibleScripts }: AgentRow,
    sent: readonly unknown[] | undefined,
  ): Promise<string[]> {
    if (sent === undefined) return scripts;
    const unseen = scripts.filter((slug) => !visibleScripts.includes(slug));
    const after = [...(await this.slugs(caller, sent)), ...unseen];
    if (after.length <= MOST_SCRIPTS) return after;
    throw InvalidRequest.at(
      'scripts',
      `with ${unseen.length} that you cannot see, these are more than ${MOST_SCRIPTS}`,
    );
  }

  /** @throws InvalidRequest naming each that is not the slug of a script that the caller can see */
  private async slugs(caller: WorkspaceCaller, sent: readonly unknown[]): Promise<string[]> {
    const texts = sent.filter((slug) => typeof slug === 'string');
    const known = await this.scripts.visibleSlugs(viewerOf(caller), texts);
    const details = sent.flatMap((slug, place) => {
      const path = `scripts.${place}`;
      if (!known.has(slug as string)) {
        return { path, message: 'is not the slug of a script of this workspace' };
      }
      return sent.indexOf(slug) < place ? { path, message: 'is named twice' } : [];
    });
    if (details.length === 0) return texts;
    throw new InvalidRequest(`${details[0]!.path}: ${details[0]!.message}`, details);
  }
}

function loosened(before: AgentSettings, after: AgentSettings): Loosening[] {
  const asksLess = before.approvalPolicy === 'always' && after.approvalPolicy === 'none';
  return [
    ...(asksLess ? (['agent.approval_policy'] as const) : []),
    ...(isLaxerBudget(after.budget, before.budget) ? (['agent.budget'] as const) : []),
  ];
}

function present({ visibleScripts, ...agent }: AgentRow): AgentDto {
  const { id, slug, name, instructions, model, enabled, approvalPolicy, budget, createdByUserId } = agent;
  return {
    id,
    slug,
    name,
    instructions,
    model,
    scripts: visibleScripts,
    enabled,
    approvalPolicy,
    budget,
    createdByUserId,
    createdAt: agent.createdAt.toISOString(),
    updatedAt: agent.updatedAt.toISOString(),
  };
}

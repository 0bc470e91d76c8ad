import { Injectable } from '@nestjs/common';

import { AuditTrail } from '../audit/index.js';
import { AccessLossHooks, assertMayLoosen, type WorkspaceCaller } from '../core/access/index.js';
import { newId } from '../core/crypto/index.js';
import { Database, keysetPage, type Page } from '../core/database/index.js';
import { Conflict, type ErrorDetail, Forbidden, InvalidRequest, NotFound } from '../core/errors/index.js';
import { changedFields } from '../core/json/index.js';
import { SchemaChecks } from '../core/schema/index.js';
import { QueuesService } from '../queues/index.js';
import { isLaxerRule, parseAskRule } from './ask-rule.js';
import { assertStaysIn, loosened, NEW_GATE, patchGate, type SharedTeam } from './script-access.js';
import type { ScriptDetailDto, ScriptDto } from './script.dto.js';
import { assertExpected } from './expected-version.js';
import { ScriptEventWriter } from './script.events.js';
import type { ScriptInput, ScriptListQuery, ScriptPatch } from './script-input.dto.js';
import { isShorter, parseRetention } from './script-retention.js';
import { ScriptPresenter } from './script-presenter.js';
import { statusAfter } from './script.status.js';
import { viewerOf } from './script-viewer.js';
import { type ScriptChange, ScriptsRepository } from './scripts.repository.js';
import type { ScriptActivityDto } from './stats/script-stats.dto.js';
import { parseTags } from './tags.js';

/** What decides for whom a script exists: tags for apps to which they were given. */
const VISIBILITY: readonly (keyof ScriptChange)[] = ['access', 'teamIds', 'tags'];

@Injectable()
export class ScriptsService {
  constructor(
    private readonly scripts: ScriptsRepository,
    private readonly presenter: ScriptPresenter,
    private readonly database: Database,
    private readonly audit: AuditTrail,
    private readonly events: ScriptEventWriter,
    private readonly losses: AccessLossHooks,
    private readonly checks: SchemaChecks,
    private readonly queues: QueuesService,
  ) {}

  async list(caller: WorkspaceCaller, query: ScriptListQuery): Promise<Page<ScriptDto>> {
    const { limit, cursor, ...filters } = query;
    const viewer = viewerOf(caller);
    const { items, nextCursor } = await keysetPage(
      { limit, cursor },
      { list: 'scripts', filters: [viewer, filters] },
      (after, count) => this.scripts.list(viewer, filters, after, count),
      (row) => row,
    );
    return { items: await this.presenter.page(items), nextCursor };
  }

  async create(caller: WorkspaceCaller, input: ScriptInput): Promise<ScriptDetailDto> {
    const { slug, name, description = '' } = input;
    const id = newId('script');
    const workspaceId = caller.workspace.id;
    return this.database.transaction(async () => {
      const ownerUserId = caller.person?.id ?? null;
      // Both go out at once; what uses the script is read after it has been written.
      const [script, used] = await Promise.all([
        this.scripts.insert({ id, workspaceId, slug, name, description, ownerUserId }),
        this.presenter.usesOfNew({ id, slug }, caller),
      ]);
      if (!script) throw new Conflict(`There is a script with the slug "${slug}" already. Choose another.`);
      // It would not even see what it has made.
      if (caller.scriptChoice !== null)
        throw new Forbidden('This app was given chosen scripts, and makes none.');
      await this.audit.record(workspaceId, caller, 'script.created', { type: 'script', id }, { slug });
      await this.events.add('script.created', caller, { id, slug, name }, null);
      return this.presenter.created(script, used);
    });
  }

  async detail(caller: WorkspaceCaller, slug: string): Promise<ScriptDetailDto> {
    const row = await this.scripts.find(viewerOf(caller), slug);
    if (!row) throw new NotFound('script');
    return this.presenter.detail(row, caller);
  }

  async activity(caller: WorkspaceCaller, slug: string): Promise<ScriptActivityDto> {
    const row = await this.scripts.find(viewerOf(caller), slug);
    if (!row) throw new NotFound('script');
    return this.presenter.activity(row);
  }

  async change(caller: WorkspaceCaller, slug: string, patch: ScriptPatch): Promise<ScriptDetailDto> {
    const tags = patch.tags && parseTags(patch.tags);
    const newAsk = patch.ask === undefined ? undefined : parseAskRule(patch.ask);
    const newRetention = patch.retention === undefined ? undefined : parseRetention(patch.retention);
    const workspaceId = caller.workspace.id;
    if (newAsk) await this.checks.schema(newAsk.when, 'ask.when', { workspaceId });
    await this.database.transaction(async () => {
      const script = await this.scripts.lock(viewerOf(caller), slug);
      if (!script) throw new NotFound('script');
      assertExpected(patch.expectedVersion, 'revision', script);
      const { access, approvalPolicy } = patch;
      const teams = await this.teams(caller, patch.teamIds ?? script.teamIds, patch.teamIds !== undefined);
      const gate = patchGate(script, {
        access,
        approvalPolicy,
        teamIds: patch.teamIds && teams.map(({ id }) => id),
      });
      const shared = gate.access === 'teams' ? teams : [];
      const ask = newAsk === undefined ? script.ask : newAsk;
      const asksLess = isLaxerRule(ask, script.ask) ? (['script.ask'] as const) : [];
      const retention = newRetention === undefined ? script.retention : newRetention;
      const keepsLess = isShorter(retention, script.retention) ? (['script.retention'] as const) : [];
      assertMayLoosen(caller, [...loosened(script, gate, shared), ...asksLess, ...keepsLess]);
      if (access !== undefined || patch.teamIds !== undefined) assertStaysIn(caller.role, gate, shared);
      statusAfter(script.status, 'change');
      const { name = script.name, description = script.description, queue = script.queue } = patch;
      const moves = queue !== script.queue;
      if (moves) await this.queues.assertMayMove(caller, script.queue, queue);
      const after: ScriptChange = {
        ...gate,
        teamIds: [...gate.teamIds],
        name,
        description,
        ask,
        tags: tags ?? script.tags,
        queue,
        retention,
      };
      const fields = Object.keys(after) as (keyof ScriptChange)[];
      const changed = changedFields<ScriptChange, keyof ScriptChange>(fields, script, after);
      if (changed.length === 0) return;
      await this.scripts.change(script.id, after);
      if (moves) await this.queues.moved({ id: script.id, workspaceId }, script.queue, queue);
      const details = Object.fromEntries(
        changed.map((field) => [field, { from: script[field], to: after[field] }]),
      );
      const target = { type: 'script', id: script.id };
      await this.audit.record(workspaceId, caller, 'script.updated', target, { slug, ...details });
      if (changed.some((field) => VISIBILITY.includes(field))) {
        await this.losses.report({ scriptIds: [script.id] });
      }
    });
    return this.detail(caller, slug);
  }

  /** Archiving what is archived already changes nothing. */
  async archive(caller: WorkspaceCaller, slug: string): Promise<void> {
    await this.database.transaction(async () => {
      const script = await this.scripts.lock(viewerOf(caller), slug);
      if (!script) throw new NotFound('script');
      const status = statusAfter(script.status, 'archive');
      if (status === script.status) return;
      await this.scripts.setStatus(script.id, status, null);
      const target = { type: 'script', id: script.id };
      await this.audit.record(caller.workspace.id, caller, 'script.archived', target, { slug });
      await this.events.add('script.archived', caller, script, script.publishedVersion);
    });
  }

  /**
   * Removes a script that came to nothing, such as one whose first version could not be built. Its slug is free then, and without the
   * rules that the script had.
   *
   * @throws Conflict where there is something to keep
   */
  async removeUnused(caller: WorkspaceCaller, slug: string): Promise<void> {
    await this.database.transaction(async () => {
      const script = await this.scripts.lock(viewerOf(caller), slug);
      if (!script) throw new NotFound('script');
      const asksLess = isLaxerRule(null, script.ask) ? (['script.ask'] as const) : [];
      assertMayLoosen(caller, [...loosened(script, NEW_GATE, []), ...asksLess]);
      if (script.queue !== null) await this.queues.assertMayMove(caller, script.queue, null);
      const isUnused = script.lastVersion === 0 && (await this.scripts.remove(script.id));
      if (!isUnused) throw new Conflict('Something of the script would be lost. Archive it instead.');
      const target = { type: 'script', id: script.id };
      await this.audit.record(caller.workspace.id, caller, 'script.removed', target, { slug });
    });
  }

  /**
   * The teams by these ids. Ids that were just sent must all be of teams; of those stored earlier, a team may be gone.
   *
   * @throws InvalidRequest naming each id that is none
   */
  private async teams(
    caller: WorkspaceCaller,
    ids: readonly unknown[],
    sent: boolean,
  ): Promise<SharedTeam[]> {
    const texts = ids.filter((id) => typeof id === 'string');
    if (ids.length === 0) return [];
    const found = await this.scripts.teams(caller.workspace.id, texts, caller.person?.id ?? null);
    const byId = new Map(found.map((team) => [team.id, team]));
    const details: ErrorDetail[] = ids.flatMap((id, index) =>
      byId.has(id as string)
        ? []
        : [{ path: `teamIds.${index}`, message: 'is not the id of a team of this workspace' }],
    );
    if (sent && details.length > 0)
      throw new InvalidRequest(`${details[0]!.path}: ${details[0]!.message}`, details);
    return texts.flatMap((id) => byId.get(id) ?? []);
  }
}

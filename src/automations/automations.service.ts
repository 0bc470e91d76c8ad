import type { OnModuleInit } from '@nestjs/common';

import type { AuditTrail } from '../audit/index.js';
import { isAgent, type WorkspaceCaller } from '../core/access/index.js';
import { newId } from '../core/crypto/index.js';
import { type Database, keysetPage, type Page, type PageRequest } from '../core/database/index.js';
import { NotFound } from '../core/errors/index.js';
import { changedFields, patched } from '../core/json/index.js';
import type { HeldEnvironment } from '../environments/index.js';
import type { RunnableScript, VersionFacts } from '../scripts/index.js';
import { changeDetails, isAgentsAfter } from './automation.changes.js';
import type { AutomationKind } from './automation.kind.js';
import type { AutomationRow } from './automation-entity.js';
import {
  assertAgentsAllowed,
  assertAgentsMayChange,
  assertMayMove,
  assertMayTakeFromAgent,
} from './automation.rules.js';
import type { AutomationDisablingService } from './automation-disabling.service.js';
import type { AutomationNeedsService } from './automation-needs.service.js';
import type {
  AutomationsRepository,
  AutomationViewer,
  FoundAutomation,
  ListedAutomation,
} from './automations.repository.js';

/** What of every kind can be changed; the environment by its name. */
export type AutomationSettings = Pick<AutomationRow, 'name' | 'inputs' | 'enabled'> & { environment: string };

/** What one is made of. */
interface AutomationInput {
  name: string;
  inputs?: Record<string, unknown>;
  /** By name. Without it: the one that the request acts in. */
  environment?: string;
}

/** What only one of the kinds has, of one that is made. */
interface OwnPart<Row> {
  columns: Partial<Row>;
  /** What the audit trail says of it. */
  details: Record<string, unknown>;
}

export interface AutomationChange<Row, Settings> {
  before: FoundAutomation<Row> & Settings;
  after: Settings;
  changed: readonly (keyof Settings & string)[];
  /** The one that it is in afterwards. */
  environment: HeldEnvironment;
  isEnabledNow: boolean;
}

/** How schedules, triggers and hooks are made, read, changed and deleted. */
export abstract class AutomationsService<
  Row extends AutomationRow,
  Settings extends AutomationSettings,
  Dto,
> implements OnModuleInit {
  /** What of the kind can be changed. */
  protected abstract readonly fields: readonly (keyof Settings & string)[];

  protected constructor(
    private readonly kind: AutomationKind,
    private readonly automations: AutomationsRepository<Row>,
    private readonly needs: AutomationNeedsService,
    private readonly disabling: AutomationDisablingService,
    protected readonly database: Database,
    protected readonly audit: AuditTrail,
  ) {}

  onModuleInit(): void {
    this.disabling.register(this.kind, this.automations);
  }

  list(caller: WorkspaceCaller, request: PageRequest): Promise<Page<Dto>> {
    const viewer = this.viewerOf(caller);
    const fetch = (after: string | null, count: number) => this.automations.list(viewer, after, count);
    return this.page(request, viewer, fetch);
  }

  async listOfScript(caller: WorkspaceCaller, slug: string, request: PageRequest): Promise<Page<Dto>> {
    const viewer = this.viewerOf(caller);
    const scriptId = await this.needs.scriptId(caller, slug);
    const fetch = (after: string | null, count: number) =>
      this.automations.listOfScript(viewer, scriptId, after, count);
    return this.page(request, [viewer, scriptId], fetch);
  }

  async get(caller: WorkspaceCaller, id: string): Promise<Dto> {
    return this.present(await this.find(caller, id));
  }

  async find(caller: WorkspaceCaller, id: string): Promise<FoundAutomation<Row>> {
    const row = await this.automations.find(this.viewerOf(caller), id);
    if (!row) throw new NotFound(this.kind.name);
    return row;
  }

  change(caller: WorkspaceCaller, id: string, patch: Partial<Settings>): Promise<Dto> {
    const { kind, needs } = this;
    return this.database.transaction(async () => {
      const target =
        patch.environment === undefined ? null : await needs.environment(caller, patch.environment);
      const before = (await this.lock(caller, id)) as FoundAutomation<Row> & Settings;
      const after = patched(this.fields, before as Settings, patch);
      const changed = changedFields(this.fields, before as Settings, after);
      if (changed.length === 0) return this.present(before);
      const environment = target ?? (await needs.environment(caller, before.environment));
      const { environment: _, ...settings } = after;
      const { enabled } = settings;
      const byAgent = isAgentsAfter(before.byAgent, caller.kind, changed);
      const from = { ...before, name: before.environment };
      assertMayMove(caller, from, environment);
      assertMayTakeFromAgent(caller, before, byAgent, environment);
      assertAgentsMayChange(kind, caller, { from, to: environment, byAgent, enabled });
      const isEnabledNow = enabled && !before.enabled;
      const change = { before, after, changed, environment, isEnabledNow };
      const own = this.ownChange(caller, change);
      if (isEnabledNow || changed.includes('inputs')) {
        const script = await needs.runnable(caller, kind, before.scriptSlug);
        await this.checkInputs(caller, script, after.inputs);
      }
      const automation = { ...before, byAgent, environmentId: environment.id };
      if (isEnabledNow) await this.disabling.assertNotRefused(kind, automation);
      const disabledReason = enabled ? null : before.disabledReason;
      const columns = { ...settings, environmentId: environment.id, byAgent, disabledReason };
      await this.automations.change(id, { ...columns, ...own } as Partial<Row>);
      await this.assertFits?.(automation, change);
      const details = changeDetails(before, after, changed);
      await this.record(caller, 'updated', id, { script: before.scriptSlug, title: before.name, ...details });
      return this.get(actingIn(caller, environment), id);
    });
  }

  delete(caller: WorkspaceCaller, id: string): Promise<void> {
    return this.database.transaction(async () => {
      const { scriptSlug: script, name } = await this.lock(caller, id);
      await this.automations.delete(id);
      await this.record(caller, 'deleted', id, { script, name });
    });
  }

  /** @param own says, and checks, what only the kind has, in the environment that it will be in */
  protected make(
    caller: WorkspaceCaller,
    slug: string,
    { name, inputs = {}, environment: named = caller.environment.name }: AutomationInput,
    own: (environment: HeldEnvironment) => OwnPart<Row>,
  ): Promise<Dto> {
    return this.database.transaction(async () => {
      const environment = await this.needs.environment(caller, named);
      const { columns, details } = own(environment);
      const byAgent = isAgent(caller);
      if (byAgent) assertAgentsAllowed(this.kind, environment);
      const script = await this.needs.runnable(caller, this.kind, slug);
      await this.checkInputs(caller, script, inputs);
      await this.needs.assertRoom(this.kind, this.automations, caller.workspace.id);
      const id = newId(this.kind.name);
      const row = {
        id,
        workspaceId: caller.workspace.id,
        environmentId: environment.id,
        scriptId: script.scriptId,
        name,
        inputs,
        byAgent,
        createdByUserId: caller.person?.id ?? null,
        ...columns,
      };
      await this.automations.insert(row as Partial<Row>);
      await this.assertFits?.(row as unknown as Row, null);
      const made = { script: slug, name, ...details, environment: environment.name };
      await this.record(caller, 'created', id, made);
      return this.get(actingIn(caller, environment), id);
    });
  }

  /** Whose environment decides what of the kind exists for the caller. */
  protected abstract viewerOf(caller: WorkspaceCaller): AutomationViewer;

  protected abstract present(row: ListedAutomation<Row>): Dto;

  /** @throws InvalidRequest where the published version would not take the inputs */
  protected abstract checkInputs(
    caller: WorkspaceCaller,
    script: RunnableScript & VersionFacts,
    inputs: Record<string, unknown>,
  ): Promise<void>;

  /** What a change makes of the columns that only the kind has; throws where the caller may not make it. */
  protected abstract ownChange(
    caller: WorkspaceCaller,
    change: AutomationChange<Row, Settings>,
  ): Partial<Row>;

  /** Asked after it is made (null) or changed, in the same transaction. @throws Conflict where it may not be so */
  protected assertFits?(row: Row, change: AutomationChange<Row, Settings> | null): Promise<void>;

  private page(
    request: PageRequest,
    filters: unknown,
    fetch: (after: string | null, count: number) => Promise<ListedAutomation<Row>[]>,
  ): Promise<Page<Dto>> {
    return keysetPage(request, { list: `${this.kind.name}s`, filters }, fetch, (row) => this.present(row));
  }

  protected async lock(caller: WorkspaceCaller, id: string): Promise<FoundAutomation<Row>> {
    const row = await this.automations.lock(this.viewerOf(caller), id);
    if (!row) throw new NotFound(this.kind.name);
    return row;
  }

  private record(
    caller: WorkspaceCaller,
    what: 'created' | 'updated' | 'deleted',
    id: string,
    details: Record<string, unknown>,
  ): Promise<void> {
    const { name: type } = this.kind;
    return this.audit.record(caller.workspace.id, caller, `${type}.${what}`, { type, id }, details);
  }
}

/** The caller in the environment where it is now, so as to see it there. */
function actingIn(caller: WorkspaceCaller, { id }: { id: string }): WorkspaceCaller {
  return { ...caller, environment: { ...caller.environment, id } };
}

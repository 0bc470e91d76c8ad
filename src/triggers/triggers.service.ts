import { Injectable, type OnModuleInit } from '@nestjs/common';

import { type AuditAction, AuditTrail } from '../audit/index.js';
import {
  assertAgentsAllowed,
  assertAgentsMayChange,
  assertMayMove,
  AutomationDisablingService,
  AutomationNeedsService,
  type AutomationViewer,
  changeDetails,
  isAgentsAfter,
} from '../automations/index.js';
import type { WorkspaceCaller } from '../core/access/caller.js';
import { newId } from '../core/crypto/ids.js';
import { Database } from '../core/database/database.js';
import { keysetPage, type Page, type PageRequest } from '../core/database/page.js';
import { InvalidRequest, NotFound } from '../core/errors/problems.js';
import { EventTypes } from '../core/outbox/event-types.js';
import { PATIENCE, SchemaChecks } from '../core/schema/schema-checks.js';
import { viewerOf } from '../scripts/index.js';
import { checkConstantInputs } from './constant-inputs.js';
import { changedFields, changesAuthor, patched } from './trigger.changes.js';
import type { TriggerDto, TriggerInput, TriggerPatch } from './trigger.dto.js';
import { TRIGGER } from './trigger.kind.js';
import { presentTrigger } from './trigger.presenter.js';
import { TriggerCrowdService } from './trigger-crowd.service.js';
import { assertMayRead, checkMatching } from './trigger.rules.js';
import { type FoundTrigger, TriggersRepository } from './triggers.repository.js';

@Injectable()
export class TriggersService implements OnModuleInit {
  constructor(
    private readonly triggers: TriggersRepository,
    private readonly needs: AutomationNeedsService,
    private readonly crowd: TriggerCrowdService,
    private readonly disabling: AutomationDisablingService,
    private readonly eventTypes: EventTypes,
    private readonly database: Database,
    private readonly audit: AuditTrail,
    private readonly checks: SchemaChecks,
  ) {}

  onModuleInit(): void {
    this.disabling.register(TRIGGER);
  }

  list(caller: WorkspaceCaller, request: PageRequest): Promise<Page<TriggerDto>> {
    const viewer = triggerViewerOf(caller);
    return keysetPage(
      request,
      { list: 'triggers', filters: viewer },
      (after, count) => this.triggers.list(viewer, after, count),
      presentTrigger,
    );
  }

  async listOfScript(caller: WorkspaceCaller, slug: string, request: PageRequest): Promise<Page<TriggerDto>> {
    const viewer = triggerViewerOf(caller);
    const scriptId = await this.needs.scriptId(caller, slug);
    return keysetPage(
      request,
      { list: 'triggers', filters: [viewer, scriptId] },
      (after, count) => this.triggers.listOfScript(viewer, scriptId, after, count),
      presentTrigger,
    );
  }

  async get(caller: WorkspaceCaller, id: string): Promise<TriggerDto> {
    return presentTrigger(await this.find(caller, id));
  }

  async find(caller: WorkspaceCaller, id: string): Promise<FoundTrigger> {
    const row = await this.triggers.find(triggerViewerOf(caller), id);
    if (!row) throw new NotFound('trigger');
    return row;
  }

  create(caller: WorkspaceCaller, slug: string, input: TriggerInput): Promise<TriggerDto> {
    const { name, eventType, filter = {}, inputs = {} } = input;
    if (!this.eventTypes.find(eventType)) {
      throw InvalidRequest.at(
        'eventType',
        `there is no type "${eventType}"; GET /v1/workspace/event-types lists them`,
      );
    }
    checkMatching(input);
    return this.database.transaction(async () => {
      const environment = await this.needs.environment(caller, input.environment ?? caller.environment.name);
      assertMayRead(caller, eventType);
      const byAgent = caller.kind === 'agent';
      if (byAgent) assertAgentsAllowed(TRIGGER, environment);
      const { scriptId } = await this.runnable(caller, slug, inputs);
      const workspaceId = caller.workspace.id;
      await this.needs.assertRoom(TRIGGER, workspaceId);
      const id = newId('trigger');
      await this.triggers.insert({
        id,
        workspaceId,
        environmentId: environment.id,
        scriptId,
        name,
        eventType,
        filter,
        inputs,
        byAgent,
        createdByUserId: caller.person?.id ?? null,
        authorUserId: caller.person?.id ?? null,
      });
      await this.crowd.assertFits({ id, workspaceId, environmentId: environment.id, eventType });
      const details = { script: slug, name, eventType, environment: environment.name };
      await this.record(caller, 'trigger.created', id, details);
      return this.get(actingIn(caller, environment), id);
    });
  }

  change(caller: WorkspaceCaller, id: string, patch: TriggerPatch): Promise<TriggerDto> {
    checkMatching(patch);
    return this.database.transaction(async () => {
      const target =
        patch.environment === undefined ? null : await this.needs.environment(caller, patch.environment);
      const before = await this.lock(caller, id);
      const after = patched(before, patch);
      const changed = changedFields(before, after);
      if (changed.length === 0) return presentTrigger(before);
      const environment = target ?? (await this.needs.environment(caller, before.environment));
      const { environment: _, ...settings } = after;
      const { enabled } = settings;
      const byAgent = isAgentsAfter(before.byAgent, caller.kind, changed);
      const from = { ...before, name: before.environment };
      assertMayMove(caller, from, environment);
      assertAgentsMayChange(TRIGGER, caller, { from, to: environment, byAgent, enabled });
      if (changesAuthor(changed)) assertMayRead(caller, before.eventType);
      const isEnabledNow = enabled && !before.enabled;
      if (isEnabledNow || changed.includes('inputs')) {
        await this.runnable(caller, before.scriptSlug, after.inputs);
      }
      const trigger = {
        ...before,
        workspaceId: caller.workspace.id,
        byAgent,
        environmentId: environment.id,
      };
      if (isEnabledNow) await this.disabling.assertNotRefused(TRIGGER, trigger);
      await this.triggers.change(id, {
        ...settings,
        environmentId: environment.id,
        byAgent,
        authorUserId: changesAuthor(changed) ? (caller.person?.id ?? null) : before.authorUserId,
        disabledReason: enabled ? null : before.disabledReason,
      });
      const waitsForOthers = changed.includes('filter') || changed.includes('environment');
      if (enabled && (isEnabledNow || waitsForOthers)) await this.crowd.assertFits(trigger);
      await this.record(caller, 'trigger.updated', id, changeDetails(before, after, changed));
      return this.get(actingIn(caller, environment), id);
    });
  }

  delete(caller: WorkspaceCaller, id: string): Promise<void> {
    return this.database.transaction(async () => {
      const { scriptSlug: script, name } = await this.lock(caller, id);
      await this.triggers.delete(id);
      await this.record(caller, 'trigger.deleted', id, { script, name });
    });
  }

  private async lock(caller: WorkspaceCaller, id: string): Promise<FoundTrigger> {
    const row = await this.triggers.lock(triggerViewerOf(caller), id);
    if (!row) throw new NotFound('trigger');
    return row;
  }

  /** A script that can run, with inputs that fit it as far as they are known before an event. */
  private async runnable(
    caller: WorkspaceCaller,
    slug: string,
    inputs: Record<string, unknown>,
  ): Promise<{ scriptId: string }> {
    const script = await this.needs.runnable(caller, TRIGGER, slug);
    await checkConstantInputs(inputs, async (constants) => {
      const { fileFields } = await this.checks.inputs({
        schema: script.inputSchema,
        command: null,
        inputs: constants,
        workspaceId: caller.workspace.id,
        patience: PATIENCE.transaction,
      });
      return fileFields;
    });
    return script;
  }

  private record(
    caller: WorkspaceCaller,
    action: AuditAction,
    id: string,
    details: Record<string, unknown>,
  ): Promise<void> {
    return this.audit.record(caller.workspace.id, caller, action, { type: 'trigger', id }, details);
  }
}

/** Triggers exist in the environment that the request acts in. */
function triggerViewerOf(caller: WorkspaceCaller): AutomationViewer {
  return { ...viewerOf(caller), environmentId: caller.environment.id };
}

/** The caller in the environment where the trigger is now, so as to see it there. */
function actingIn(caller: WorkspaceCaller, { id }: { id: string }): WorkspaceCaller {
  return { ...caller, environment: { ...caller.environment, id } };
}

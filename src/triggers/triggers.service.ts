import { Injectable } from '@nestjs/common';

import { type AuditAction, AuditTrail } from '../audit/index.js';
import { changeDetails, isAgentsAfter } from '../automations/automation.changes.js';
import { TRIGGER } from '../automations/automation.kinds.js';
import { assertAgentsAllowed } from '../automations/automation.rules.js';
import { AutomationNeeds } from '../automations/automation-needs.js';
import { AutomationSwitch } from '../automations/automation-switch.js';
import type { WorkspaceCaller } from '../core/access/caller.js';
import { newId } from '../core/crypto/ids.js';
import { Database } from '../core/database/database.js';
import { type Page, type PageRequest, keysetPage } from '../core/database/page.js';
import { InvalidRequest, NotFound } from '../core/errors/problems.js';
import { EventTypes } from '../core/outbox/event-types.js';
import { PATIENCE, SchemaChecks } from '../core/schema/schema-checks.js';
import { viewerOf } from '../scripts/script-viewer.js';
import { checkConstantInputs } from './constant-inputs.js';
import { changedFields, patched, takesAnew } from './trigger.changes.js';
import type { TriggerDto, TriggerInput, TriggerPatch } from './trigger.dto.js';
import { presentTrigger } from './trigger.presenter.js';
import { assertMayHear, checkMatching } from './trigger.rules.js';
import { type TriggerViewer, type TriggerWithScriptRow, TriggersRepository } from './triggers.repository.js';

@Injectable()
export class TriggersService {
  constructor(
    private readonly triggers: TriggersRepository,
    private readonly needs: AutomationNeeds,
    private readonly automations: AutomationSwitch,
    private readonly eventTypes: EventTypes,
    private readonly database: Database,
    private readonly audit: AuditTrail,
    private readonly checks: SchemaChecks,
  ) {}

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

  async find(caller: WorkspaceCaller, id: string): Promise<TriggerWithScriptRow> {
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
      assertMayHear(caller, eventType);
      const byAgent = caller.kind === 'agent';
      if (byAgent) assertAgentsAllowed(TRIGGER, environment);
      const { scriptId } = await this.runnable(caller, slug, inputs);
      const id = newId('trigger');
      await this.triggers.insert({
        id,
        workspaceId: caller.workspace.id,
        environmentId: environment.id,
        scriptId,
        name,
        eventType,
        filter,
        inputs,
        byAgent,
        createdByUserId: caller.person?.id ?? null,
      });
      const details = { script: slug, name, eventType, environment: environment.name };
      await this.record(caller, 'trigger.created', id, details);
      return this.get(actingIn(caller, environment), id);
    });
  }

  change(caller: WorkspaceCaller, id: string, patch: TriggerPatch): Promise<TriggerDto> {
    checkMatching(patch);
    return this.database.transaction(async () => {
      const moved =
        patch.environment === undefined ? null : await this.needs.environment(caller, patch.environment);
      const before = await this.triggers.lock(triggerViewerOf(caller), id);
      if (!before) throw new NotFound('trigger');
      const after = patched(before, patch);
      const changed = changedFields(before, after);
      if (changed.length === 0) return presentTrigger(before);
      const environment = moved ?? (await this.needs.environment(caller, before.environment));
      const byAgent = isAgentsAfter(before.byAgent, caller.kind, changed);
      if (caller.kind === 'agent') assertAgentsAllowed(TRIGGER, { ...before, name: before.environment });
      if (byAgent && (after.enabled || caller.kind === 'agent')) assertAgentsAllowed(TRIGGER, environment);
      if (takesAnew(changed)) assertMayHear(caller, before.eventType);
      const begins = after.enabled && !before.enabled;
      if (begins || changed.includes('inputs')) {
        await this.runnable(caller, before.scriptSlug, after.inputs);
      }
      if (begins) {
        const { id: workspaceId } = caller.workspace;
        const now = { ...before, workspaceId, byAgent, environmentId: environment.id };
        await this.automations.assertNotRefused(TRIGGER, now);
      }
      await this.triggers.change(id, {
        ...after,
        environmentId: environment.id,
        byAgent,
        authorUserId: takesAnew(changed) ? (caller.person?.id ?? null) : before.authorUserId,
        disabledReason: after.enabled ? null : before.disabledReason,
      });
      await this.record(caller, 'trigger.updated', id, changeDetails(before, after, changed));
      return this.get(actingIn(caller, environment), id);
    });
  }

  async delete(caller: WorkspaceCaller, id: string): Promise<void> {
    await this.database.transaction(async () => {
      const row = await this.triggers.lock(triggerViewerOf(caller), id);
      if (!row) throw new NotFound('trigger');
      await this.triggers.delete(id);
      await this.record(caller, 'trigger.deleted', id, { script: row.scriptSlug, name: row.name });
    });
  }

  /** A script that can run with what is known of these inputs. */
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

export function triggerViewerOf(caller: WorkspaceCaller): TriggerViewer {
  return { ...viewerOf(caller), environmentId: caller.environment.id };
}

/** Whoever made it elsewhere, or moved it there, is told how it is now. */
function actingIn(caller: WorkspaceCaller, { id }: { id: string }): WorkspaceCaller {
  return { ...caller, environment: { ...caller.environment, id } };
}

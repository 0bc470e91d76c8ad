import { Injectable } from '@nestjs/common';

import { AutomationDisablingService, EVENT_PLACEHOLDERS, mismatch, Rendering } from '../automations/index.js';
import type { WorkspaceCaller } from '../core/access/index.js';
import { InvalidRequest, ProblemError } from '../core/errors/index.js';
import { SchemaChecks } from '../core/schema/index.js';
import { ScriptCatalogService, viewerOf } from '../scripts/index.js';
import { isOfTestRun } from './firing/matches.js';
import type { TriggerTestDto } from './trigger.dto.js';
import { TRIGGER } from './trigger.kind.js';
import type { FoundTrigger } from './triggers.repository.js';
import { TriggersService } from './triggers.service.js';

interface TestedEvent {
  type: string;
  data: Record<string, unknown>;
}

/** Says what a trigger would do for an event, without doing it. */
@Injectable()
export class TriggerTestsService {
  constructor(
    private readonly triggers: TriggersService,
    private readonly catalog: ScriptCatalogService,
    private readonly disabling: AutomationDisablingService,
    private readonly checks: SchemaChecks,
  ) {}

  async test(caller: WorkspaceCaller, id: string, given: Record<string, unknown>): Promise<TriggerTestDto> {
    const { type, data } = eventOf(given);
    const trigger = await this.triggers.find(caller, id);
    const event = { type: type ?? trigger.eventType, data };
    const reason = whyNot(trigger, event) ?? (await this.refusal(trigger));
    if (reason !== null) return { fires: false, reason, inputs: null };
    const { inputs, problem } = new Rendering(trigger.inputs, data, EVENT_PLACEHOLDERS).make();
    if (problem !== null) return { fires: true, reason: `the run would fail: ${problem}`, inputs: null };
    return { fires: true, reason: await this.misfit(caller, trigger, inputs), inputs };
  }

  private async refusal(trigger: FoundTrigger): Promise<string | null> {
    const [refused] = await this.disabling.refusals(TRIGGER, [trigger]);
    return refused ? `the trigger would be switched off: ${refused.reason}` : null;
  }

  private async misfit(
    caller: WorkspaceCaller,
    { scriptSlug: slug }: FoundTrigger,
    inputs: Record<string, unknown>,
  ): Promise<string | null> {
    const script = await this.catalog.findRunnable({ ...viewerOf(caller), slug, version: null });
    if (!script || script.versionId === null) return null;
    try {
      const { inputSchema: schema } = script;
      await this.checks.inputs({ schema, command: null, inputs, workspaceId: caller.workspace.id });
      return null;
    } catch (error) {
      if (error instanceof ProblemError) return `the run would fail: ${error.message}`;
      throw error;
    }
  }
}

function whyNot(trigger: FoundTrigger, event: TestedEvent): string | null {
  if (!trigger.enabled) return 'the trigger is switched off';
  if (event.type !== trigger.eventType) {
    return `the event is of the type ${event.type}, and the trigger is on ${trigger.eventType}`;
  }
  if (isOfTestRun(event)) return 'events of test runs start no trigger';
  const path = mismatch(trigger.filter, event.data);
  return path === null ? null : `the event's data does not have at ${path} what the filter asks for`;
}

function eventOf(given: Record<string, unknown>): { type: string | null; data: Record<string, unknown> } {
  const { type, data } = given;
  if (type !== undefined && typeof type !== 'string') {
    throw InvalidRequest.at('event.type', 'must be a string');
  }
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    throw InvalidRequest.at('event.data', 'must be an object');
  }
  return { type: type ?? null, data: data as Record<string, unknown> };
}

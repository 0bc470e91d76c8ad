import { Injectable, type OnModuleInit } from '@nestjs/common';

import { type AuditAction, AuditTrail } from '../audit/index.js';
import {
  assertAgentsAllowed,
  assertAgentsMayChange,
  assertMayMove,
  assertMayName,
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
import { NotFound } from '../core/errors/problems.js';
import { SchemaChecks } from '../core/schema/schema-checks.js';
import { viewerOf } from '../scripts/index.js';
import { checkConstantInputs } from './constant-inputs.js';
import { nextRunAt } from './cron/firing-plan.js';
import { zoneName } from './cron/time-zone.js';
import { changedFields, patched } from './schedule.changes.js';
import type { ScheduleDto, ScheduleInput, SchedulePatch } from './schedule.dto.js';
import { SCHEDULE } from './schedule.kind.js';
import { presentSchedule } from './schedule.presenter.js';
import { type FoundSchedule, SchedulesRepository } from './schedules.repository.js';

@Injectable()
export class SchedulesService implements OnModuleInit {
  constructor(
    private readonly schedules: SchedulesRepository,
    private readonly needs: AutomationNeedsService,
    private readonly disabling: AutomationDisablingService,
    private readonly database: Database,
    private readonly audit: AuditTrail,
    private readonly checks: SchemaChecks,
  ) {}

  onModuleInit(): void {
    this.disabling.register(SCHEDULE);
  }

  list(caller: WorkspaceCaller, request: PageRequest): Promise<Page<ScheduleDto>> {
    const viewer = scheduleViewerOf(caller);
    return keysetPage(
      request,
      { list: 'schedules', filters: viewer },
      (after, count) => this.schedules.list(viewer, after, count),
      presentSchedule,
    );
  }

  async listOfScript(
    caller: WorkspaceCaller,
    slug: string,
    request: PageRequest,
  ): Promise<Page<ScheduleDto>> {
    const viewer = scheduleViewerOf(caller);
    const scriptId = await this.needs.scriptId(caller, slug);
    return keysetPage(
      request,
      { list: 'schedules', filters: [viewer, scriptId] },
      (after, count) => this.schedules.listOfScript(viewer, scriptId, after, count),
      presentSchedule,
    );
  }

  async get(caller: WorkspaceCaller, id: string): Promise<ScheduleDto> {
    const row = await this.schedules.find(scheduleViewerOf(caller), id);
    if (!row) throw new NotFound('schedule');
    return presentSchedule(row);
  }

  create(caller: WorkspaceCaller, slug: string, input: ScheduleInput): Promise<ScheduleDto> {
    const { name, cron, inputs = {} } = input;
    const timezone = zoneName(input.timezone ?? 'UTC')!;
    return this.database.transaction(async () => {
      const environment = await this.needs.environment(caller, input.environment ?? caller.environment.name);
      const script = await this.needs.runnable(caller, SCHEDULE, slug);
      const byAgent = caller.kind === 'agent';
      if (byAgent) assertAgentsAllowed(SCHEDULE, environment);
      await checkConstantInputs(this.checks, caller.workspace.id, script, inputs);
      await this.needs.assertRoom(SCHEDULE, caller.workspace.id);
      const id = newId('schedule');
      await this.schedules.insert({
        id,
        workspaceId: caller.workspace.id,
        environmentId: environment.id,
        scriptId: script.scriptId,
        name,
        cron,
        timezone,
        inputs,
        byAgent,
        createdByUserId: caller.person?.id ?? null,
        nextRunAt: nextRunAt(cron, timezone, environment.now),
      });
      const details = { script: slug, name, cron, timezone, environment: environment.name };
      await this.record(caller, 'schedule.created', id, details);
      return this.get(caller, id);
    });
  }

  change(caller: WorkspaceCaller, id: string, patch: SchedulePatch): Promise<ScheduleDto> {
    return this.database.transaction(async () => {
      assertMayName(caller, patch.environment);
      const target =
        patch.environment === undefined ? null : await this.needs.environment(caller, patch.environment);
      const before = await this.lock(caller, id);
      const { timezone = before.timezone } = patch;
      const after = patched(before, { ...patch, timezone: zoneName(timezone) ?? timezone });
      const changed = changedFields(before, after);
      if (changed.length === 0) return presentSchedule(before);
      const environment = target ?? (await this.needs.environment(caller, before.environment));
      const { environment: _, ...settings } = after;
      const { enabled } = settings;
      const byAgent = isAgentsAfter(before.byAgent, caller.kind, changed);
      const from = { ...before, name: before.environment };
      assertMayMove(caller, from, environment);
      assertAgentsMayChange(SCHEDULE, caller, { from, to: environment, byAgent, enabled });
      const isEnabledNow = enabled && !before.enabled;
      if (isEnabledNow || changed.includes('inputs')) {
        const script = await this.needs.runnable(caller, SCHEDULE, before.scriptSlug);
        await checkConstantInputs(this.checks, caller.workspace.id, script, after.inputs);
      }
      const isDueAnew = isEnabledNow || changed.includes('cron') || changed.includes('timezone');
      const next = isDueAnew ? nextRunAt(after.cron, after.timezone, before.now) : before.nextRunAt;
      await this.schedules.change(id, {
        ...settings,
        environmentId: environment.id,
        byAgent,
        disabledReason: enabled ? null : before.disabledReason,
        nextRunAt: enabled ? next : null,
      });
      if (isEnabledNow) {
        const { id: workspaceId } = caller.workspace;
        const schedule = { ...before, workspaceId, byAgent, environmentId: environment.id };
        await this.disabling.assertNotRefused(SCHEDULE, schedule);
      }
      await this.record(caller, 'schedule.updated', id, changeDetails(before, after, changed));
      return this.get(caller, id);
    });
  }

  delete(caller: WorkspaceCaller, id: string): Promise<void> {
    return this.database.transaction(async () => {
      const { scriptSlug: script, name } = await this.lock(caller, id);
      await this.schedules.delete(id);
      await this.record(caller, 'schedule.deleted', id, { script, name });
    });
  }

  private async lock(caller: WorkspaceCaller, id: string): Promise<FoundSchedule> {
    const row = await this.schedules.lock(scheduleViewerOf(caller), id);
    if (!row) throw new NotFound('schedule');
    return row;
  }

  private record(
    caller: WorkspaceCaller,
    action: AuditAction,
    id: string,
    details: Record<string, unknown>,
  ): Promise<void> {
    return this.audit.record(caller.workspace.id, caller, action, { type: 'schedule', id }, details);
  }
}

/** Only a bound API key is kept to its environment. */
function scheduleViewerOf(caller: WorkspaceCaller): AutomationViewer {
  return { ...viewerOf(caller), environmentId: caller.bound ? caller.environment.id : null };
}

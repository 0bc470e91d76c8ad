import { Injectable } from '@nestjs/common';

import { type AuditAction, AuditTrail } from '../audit/index.js';
import { changeDetails, isAgentsAfter } from '../automations/automation.changes.js';
import { SCHEDULE } from '../automations/automation.kinds.js';
import { assertAgentsAllowed, assertMayName } from '../automations/automation.rules.js';
import { AutomationNeeds } from '../automations/automation-needs.js';
import { AutomationSwitch } from '../automations/automation-switch.js';
import type { WorkspaceCaller } from '../core/access/caller.js';
import { newId } from '../core/crypto/ids.js';
import { Database } from '../core/database/database.js';
import { type Page, type PageRequest, keysetPage } from '../core/database/page.js';
import { NotFound } from '../core/errors/problems.js';
import { SchemaChecks } from '../core/schema/schema-checks.js';
import { viewerOf } from '../scripts/script-viewer.js';
import { nextRunAt } from './cron/firing-plan.js';
import { zoneName } from './cron/time-zone.js';
import { changedFields, patched } from './schedule.changes.js';
import type { ScheduleDto, ScheduleInput, SchedulePatch } from './schedule.dto.js';
import { presentSchedule } from './schedule.presenter.js';
import { checkConstantInputs } from './schedule.rules.js';
import { type ScheduleViewer, SchedulesRepository } from './schedules.repository.js';

@Injectable()
export class SchedulesService {
  constructor(
    private readonly schedules: SchedulesRepository,
    private readonly needs: AutomationNeeds,
    private readonly automations: AutomationSwitch,
    private readonly database: Database,
    private readonly audit: AuditTrail,
    private readonly checks: SchemaChecks,
  ) {}

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
      const moved =
        patch.environment === undefined ? null : await this.needs.environment(caller, patch.environment);
      const before = await this.schedules.lock(scheduleViewerOf(caller), id);
      if (!before) throw new NotFound('schedule');
      const { timezone = before.timezone } = patch;
      const after = patched(before, { ...patch, timezone: zoneName(timezone) ?? timezone });
      const changed = changedFields(before, after);
      if (changed.length === 0) return presentSchedule(before);
      const environment = moved ?? (await this.needs.environment(caller, before.environment));
      const byAgent = isAgentsAfter(before.byAgent, caller.kind, changed);
      if (caller.kind === 'agent') assertAgentsAllowed(SCHEDULE, { ...before, name: before.environment });
      if (byAgent && (after.enabled || caller.kind === 'agent')) assertAgentsAllowed(SCHEDULE, environment);
      const begins = after.enabled && !before.enabled;
      if (begins || changed.includes('inputs')) {
        const script = await this.needs.runnable(caller, SCHEDULE, before.scriptSlug);
        await checkConstantInputs(this.checks, caller.workspace.id, script, after.inputs);
      }
      const again = begins || changed.includes('cron') || changed.includes('timezone');
      const next = again ? nextRunAt(after.cron, after.timezone, before.now) : before.nextRunAt;
      await this.schedules.change(id, {
        ...after,
        environmentId: environment.id,
        byAgent,
        disabledReason: after.enabled ? null : before.disabledReason,
        nextRunAt: after.enabled ? next : null,
      });
      if (begins) {
        const { id: workspaceId } = caller.workspace;
        const now = { ...before, workspaceId, byAgent, environmentId: environment.id };
        await this.automations.assertNotRefused(SCHEDULE, now);
      }
      await this.record(caller, 'schedule.updated', id, changeDetails(before, after, changed));
      return this.get(caller, id);
    });
  }

  async delete(caller: WorkspaceCaller, id: string): Promise<void> {
    await this.database.transaction(async () => {
      const row = await this.schedules.lock(scheduleViewerOf(caller), id);
      if (!row) throw new NotFound('schedule');
      await this.schedules.delete(id);
      await this.record(caller, 'schedule.deleted', id, { script: row.scriptSlug, name: row.name });
    });
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

function scheduleViewerOf(caller: WorkspaceCaller): ScheduleViewer {
  return { ...viewerOf(caller), onlyIn: caller.bound ? caller.environment.id : null };
}

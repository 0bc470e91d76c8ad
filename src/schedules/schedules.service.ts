import { Injectable } from '@nestjs/common';

import { AuditTrail } from '../audit/audit-trail.js';
import type { AuditAction } from '../audit/audit.actions.js';
import type { WorkspaceCaller } from '../core/access/caller.js';
import { newId } from '../core/crypto/ids.js';
import { Database } from '../core/database/database.js';
import { type Page, type PageRequest, keysetPage } from '../core/database/page.js';
import { Conflict, InvalidRequest, NotFound } from '../core/http/errors.js';
import { SystemRuns } from '../runs/system-runs.service.js';
import { ScriptCatalog } from '../scripts/script-catalog.js';
import { viewerOf } from '../scripts/script-viewer.js';
import { nextRunAt } from './cron/firing-plan.js';
import { zoneName } from './cron/time-zone.js';
import { type ScheduleField, changedFields, isAgentsAfter, patched } from './schedule.changes.js';
import type { ScheduleDto, ScheduleInput, SchedulePatch } from './schedule.dto.js';
import { presentSchedule } from './schedule.presenter.js';
import {
  archived,
  assertAgentsAllowed,
  assertMayName,
  assertRunnable,
  checkConstantInputs,
} from './schedule.rules.js';
import {
  type HeldEnvironment,
  type LockedScheduleRow,
  type ScheduleViewer,
  SchedulesRepository,
} from './schedules.repository.js';

@Injectable()
export class SchedulesService {
  constructor(
    private readonly schedules: SchedulesRepository,
    private readonly catalog: ScriptCatalog,
    private readonly runs: SystemRuns,
    private readonly database: Database,
    private readonly audit: AuditTrail,
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
    const script = await this.schedules.findScript(viewer, slug);
    if (!script) throw new NotFound('script');
    return keysetPage(
      request,
      { list: 'schedules', filters: [viewer, script.id] },
      (after, count) => this.schedules.listOfScript(viewer, script.id, after, count),
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
      const environment = await this.environment(caller, input.environment ?? caller.environment.name);
      const script = await this.catalog.findRunnable({ ...viewerOf(caller), slug, version: null });
      assertRunnable(script);
      const byAgent = caller.kind === 'agent';
      if (byAgent) assertAgentsAllowed(environment);
      checkConstantInputs(script, inputs);
      if (!(await this.schedules.holdScript(script.scriptId))) throw archived(slug);
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
        patch.environment === undefined ? null : await this.environment(caller, patch.environment);
      const before = await this.schedules.lock(scheduleViewerOf(caller), id);
      if (!before) throw new NotFound('schedule');
      const { timezone = before.timezone } = patch;
      const after = patched(before, { ...patch, timezone: zoneName(timezone) ?? timezone });
      const changed = changedFields(before, after);
      if (changed.length === 0) return presentSchedule(before);
      const environment = moved ?? (await this.environment(caller, before.environment));
      const byAgent = isAgentsAfter(before.byAgent, caller.kind, changed);
      if (caller.kind === 'agent') assertAgentsAllowed({ ...before, name: before.environment });
      if (byAgent && (after.enabled || caller.kind === 'agent')) assertAgentsAllowed(environment);
      const begins = after.enabled && !before.enabled;
      if (begins || changed.includes('inputs')) await this.checkRunnable(caller, before, after.inputs);
      const again = begins || changed.includes('cron') || changed.includes('timezone');
      const next = again ? nextRunAt(after.cron, after.timezone, before.now) : before.nextRunAt;
      await this.schedules.change(id, {
        ...after,
        environmentId: environment.id,
        byAgent,
        disabledReason: after.enabled ? null : before.disabledReason,
        nextRunAt: after.enabled ? next : null,
      });
      if (begins) await this.assertNotRefused(caller, { ...before, byAgent, environmentId: environment.id });
      await this.record(caller, 'schedule.updated', id, detailsOf(before, after, changed));
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

  /** The environment of that name, kept as it is until the transaction ends. */
  private async environment(caller: WorkspaceCaller, name: string): Promise<HeldEnvironment> {
    assertMayName(caller, name);
    const environment = await this.schedules.holdEnvironment(caller.workspace.id, name);
    if (environment) return environment;
    throw InvalidRequest.at('environment', `there is no environment "${name}" in this workspace`);
  }

  private async checkRunnable(
    caller: WorkspaceCaller,
    { scriptId, scriptSlug: slug }: LockedScheduleRow,
    inputs: Record<string, unknown>,
  ): Promise<void> {
    const script = await this.catalog.findRunnable({ ...viewerOf(caller), slug, version: null });
    assertRunnable(script);
    checkConstantInputs(script, inputs);
    if (!(await this.schedules.holdScript(scriptId))) throw archived(slug);
  }

  /** What would be switched off again at once cannot be switched on. */
  private async assertNotRefused(
    caller: WorkspaceCaller,
    row: Pick<
      LockedScheduleRow,
      'id' | 'environmentId' | 'scriptId' | 'createdByUserId' | 'byAgent' | 'inputs'
    >,
  ): Promise<void> {
    const { environmentId, scriptId, createdByUserId, byAgent, inputs } = row;
    const [refused] = await this.runs.refusals([
      {
        id: newId('run'),
        workspaceId: caller.workspace.id,
        environmentId,
        scriptId,
        createdByUserId,
        byAgent,
        inputs,
        origin: { interface: 'schedule', scheduleId: row.id },
      },
    ]);
    if (refused) {
      throw new Conflict(`The schedule cannot be switched on: ${refused.reason}. Make another one instead.`);
    }
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

/** Inputs are not told: whoever reads the audit trail need not see them. */
function detailsOf<Settings extends Record<ScheduleField, unknown>>(
  before: Settings,
  after: Record<ScheduleField, unknown>,
  changed: readonly ScheduleField[],
): Record<string, unknown> {
  return Object.fromEntries(
    changed.map((field) => [
      field,
      field === 'inputs' ? 'changed' : { from: before[field], to: after[field] },
    ]),
  );
}

import { Injectable } from '@nestjs/common';

import { AuditTrail } from '../audit/index.js';
import {
  type AutomationChange,
  AutomationDisablingService,
  AutomationNeedsService,
  AutomationsService,
  type AutomationViewer,
} from '../automations/index.js';
import type { WorkspaceCaller } from '../core/access/index.js';
import { Database, type Page } from '../core/database/index.js';
import { InvalidRequest } from '../core/errors/index.js';
import { PATIENCE, SchemaChecks } from '../core/schema/index.js';
import { type VersionFacts, viewerOf } from '../scripts/index.js';
import { nextRunAt, runsUntil } from './cron/firing-plan.js';
import { zoneName } from './cron/time-zone.js';
import {
  MOST_UPCOMING,
  type ScheduleDto,
  type ScheduleInput,
  type ScheduleListQuery,
  type SchedulePatch,
} from './schedule.dto.js';
import type { Schedule } from './schedule.entity.js';
import { SCHEDULE } from './schedule.kind.js';
import { type ListedSchedule, type ScheduleRow, SchedulesRepository } from './schedules.repository.js';

/** Thousands of schedules may be due at once, and each carries its inputs. */
const MAX_INPUT_BYTES = 65_536;

const DAY_MS = 86_400_000;

/** What of a schedule can be changed; the environment by its name. */
type ScheduleSettings = Pick<Schedule, 'name' | 'cron' | 'timezone' | 'inputs' | 'enabled'> & {
  environment: string;
};

@Injectable()
export class SchedulesService extends AutomationsService<ScheduleRow, ScheduleSettings, ScheduleDto> {
  protected readonly fields = ['name', 'environment', 'cron', 'timezone', 'inputs', 'enabled'] as const;
  protected readonly present = presentSchedule;

  constructor(
    schedules: SchedulesRepository,
    needs: AutomationNeedsService,
    disabling: AutomationDisablingService,
    database: Database,
    audit: AuditTrail,
    private readonly checks: SchemaChecks,
  ) {
    super(SCHEDULE, schedules, needs, disabling, database, audit);
  }

  /** The list, and when each is due within `upcoming` days. */
  async listUpcoming(
    caller: WorkspaceCaller,
    { upcoming, ...request }: ScheduleListQuery,
  ): Promise<Page<ScheduleDto>> {
    const page = await this.list(caller, request);
    if (upcoming === undefined) return page;
    const until = new Date(Date.now() + upcoming * DAY_MS);
    return { ...page, items: page.items.map((one) => ({ ...one, upcoming: upcomingOf(one, until) })) };
  }

  create(caller: WorkspaceCaller, slug: string, input: ScheduleInput): Promise<ScheduleDto> {
    const { cron } = input;
    const timezone = zoneName(input.timezone ?? 'UTC')!;
    const details = { cron, timezone };
    return this.make(caller, slug, input, ({ now }) => ({
      columns: { ...details, nextRunAt: nextRunAt(cron, timezone, now) },
      details,
    }));
  }

  override change(caller: WorkspaceCaller, id: string, patch: SchedulePatch): Promise<ScheduleDto> {
    const { timezone } = patch;
    const named = timezone === undefined ? patch : { ...patch, timezone: zoneName(timezone)! };
    return super.change(caller, id, named);
  }

  /** Only a bound API key is kept to its environment. */
  protected viewerOf(caller: WorkspaceCaller): AutomationViewer {
    return { ...viewerOf(caller), environmentId: caller.bound ? caller.environment.id : null };
  }

  /** Files cannot be given, since uploads expire. */
  protected async checkInputs(
    { workspace }: WorkspaceCaller,
    { inputSchema: schema, command }: VersionFacts,
    inputs: Record<string, unknown>,
  ): Promise<void> {
    if (Buffer.byteLength(JSON.stringify(inputs)) > MAX_INPUT_BYTES) {
      throw InvalidRequest.at('inputs', `must be at most ${MAX_INPUT_BYTES / 1024} KiB of JSON`);
    }
    const patience = PATIENCE.transaction;
    const wanted = { schema, command, inputs, workspaceId: workspace.id, patience };
    const [file] = (await this.checks.inputs(wanted)).fileFields;
    if (!file) return;
    const message = 'takes a file, which a schedule cannot give, since uploads expire';
    throw InvalidRequest.at(`inputs.${file.field}`, message);
  }

  protected ownChange(
    _: WorkspaceCaller,
    { before, after, changed, environment, isEnabledNow }: AutomationChange<ScheduleRow, ScheduleSettings>,
  ): Partial<ScheduleRow> {
    const isDueAnew = isEnabledNow || changed.includes('cron') || changed.includes('timezone');
    const next = isDueAnew ? nextRunAt(after.cron, after.timezone, environment.now) : before.nextRunAt;
    return { nextRunAt: after.enabled ? next : null };
  }
}

function upcomingOf({ cron, timezone, nextRunAt: next }: ScheduleDto, until: Date): string[] {
  if (next === null) return [];
  return runsUntil(cron, timezone, new Date(next), until, MOST_UPCOMING).map((time) => time.toISOString());
}

function presentSchedule(row: ListedSchedule): ScheduleDto {
  return {
    id: row.id,
    name: row.name,
    script: { id: row.scriptId, slug: row.scriptSlug },
    environment: row.environment,
    cron: row.cron,
    timezone: row.timezone,
    inputs: row.inputs,
    enabled: row.enabled,
    disabledReason: row.disabledReason,
    createdByUserId: row.createdByUserId,
    nextRunAt: row.nextRunAt?.toISOString() ?? null,
    lastRunAt: row.lastRunAt?.toISOString() ?? null,
    lastRunId: row.lastRunId,
  };
}

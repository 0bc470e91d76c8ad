import { Injectable, type OnModuleInit } from '@nestjs/common';

import {
  type ScriptScheduleDto,
  ScriptUsageHooks,
  type UsedScript,
  type UseViewer,
} from '../scripts/index.js';
import { SchedulesRepository } from './schedules.repository.js';

/** Shows on a script which schedules run it. */
@Injectable()
export class ScriptSchedules implements OnModuleInit {
  constructor(
    private readonly uses: ScriptUsageHooks,
    private readonly schedules: SchedulesRepository,
  ) {}

  onModuleInit(): void {
    this.uses.register(async (script, viewer) => ({ schedules: await this.of(script, viewer) }));
  }

  /** Guests see no schedules. */
  private async of(script: UsedScript, { role, environmentId }: UseViewer): Promise<ScriptScheduleDto[]> {
    if (script.isNew || role === 'guest') return [];
    const schedules = await this.schedules.usesOf(script.id, environmentId, 'id', 'name', 'cron', 'enabled');
    return schedules.map(({ id, name, cron, enabled }) => ({ id, name, cron, enabled }));
  }
}

import { Injectable } from '@nestjs/common';

import type { WorkspaceCaller } from '../core/access/index.js';
import { METERS, METER_DESCRIPTIONS } from './meters.js';
import { noticeOf } from './usage-notices.js';
import { usagePeriod } from './usage-period.js';
import type { WorkspaceUsageDto } from './usage.dto.js';
import { UsageRepository } from './usage.repository.js';
import { UsageService } from './usage.service.js';

/** What a workspace has used, for people to see. */
@Injectable()
export class UsageReportService {
  constructor(
    private readonly repository: UsageRepository,
    private readonly usage: UsageService,
  ) {}

  async of(caller: WorkspaceCaller): Promise<WorkspaceUsageDto> {
    const row = (await this.repository.find(caller.workspace.id))!;
    const { start, end } = usagePeriod(row.createdAt, row.periodStart);
    const readings = METERS.map((meter) => this.usage.read(row, meter));
    const notices = readings.flatMap((reading) => noticeOf(reading, end) ?? []);
    return {
      periodStart: start.toISOString(),
      periodEnd: end.toISOString(),
      meters: readings.map(({ meter, used, limit }) => ({
        id: meter,
        description: METER_DESCRIPTIONS[meter],
        used,
        limit,
      })),
      ...(notices.length > 0 && { notices }),
    };
  }
}

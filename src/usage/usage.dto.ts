import { ApiProperty } from '@nestjs/swagger';

import type { Meter } from './meters.js';

export class UsageMeterDto {
  id: Meter;

  description: string;

  /** In this period; of `storage_bytes` and `members`, now. */
  used: number;

  /** null: unlimited. */
  limit: number | null;
}

export class WorkspaceUsageDto {
  /** Periods begin each month on the day on which the workspace was made, at midnight UTC; on the month's last day where it has no such day. */
  @ApiProperty({ format: 'date-time' })
  periodStart: string;

  /** When the counts begin anew. */
  @ApiProperty({ format: 'date-time' })
  periodEnd: string;

  meters: UsageMeterDto[];

  /** Which limits are near (80 %) or reached. Left out where none is. */
  notices?: string[];
}

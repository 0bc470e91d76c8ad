import { ApiProperty } from '@nestjs/swagger';

import { METERS, type Meter } from './meters.js';

export class UsageMeterDto {
  @ApiProperty({ enum: METERS })
  id: Meter;

  description: string;

  /** In this period; of `storage_bytes` and `members`, now. */
  @ApiProperty({ type: 'integer' })
  used: number;

  /** null: unlimited. */
  @ApiProperty({ type: 'integer', nullable: true })
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

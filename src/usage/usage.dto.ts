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

const WHOLE = { type: 'integer', nullable: true } as const;

/** The most that a run may use by the plan; null: the plan says nothing of it. Runs whose versions ask for nothing always fit. */
export class EachRunDto {
  /** In MiB, as `resources.memory` of a version. */
  @ApiProperty(WHOLE)
  maxMemory: number | null;

  /** How many processors' worth of time, as `resources.cpus`. A run whose version names none gets no more. */
  @ApiProperty({ type: 'number', format: 'double', nullable: true })
  maxCpus: number | null;

  /** Processes and threads together, as `resources.processes`. */
  @ApiProperty(WHOLE)
  maxProcesses: number | null;

  /** In seconds, as `timeout` of a version. */
  @ApiProperty(WHOLE)
  maxTimeout: number | null;
}

export class WorkspaceUsageDto {
  /** Periods begin each month on the day on which the workspace was made, at midnight UTC; on the month's last day where it has no such day. */
  @ApiProperty({ format: 'date-time' })
  periodStart: string;

  /** When the counts begin anew. */
  @ApiProperty({ format: 'date-time' })
  periodEnd: string;

  meters: UsageMeterDto[];

  eachRun: EachRunDto;

  /** Which limits are near (80 %) or reached. Left out where none is. */
  notices?: string[];
}

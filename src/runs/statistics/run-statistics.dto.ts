import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';

import { OptionalTimestamp, WholeNumber } from '../../core/http/index.js';
import { type Unit, UNITS } from './run-statistic.entity.js';

export const MOST_BUCKETS = 744;

export class RunStatisticsQuery {
  /** Of how long each bucket is, in UTC. Hours are kept for 100 days, days for 800. */
  @ApiPropertyOptional({ enum: UNITS, default: 'day' })
  @IsOptional()
  @IsIn(UNITS)
  by: Unit = 'day';

  /** In the first bucket. Left out: 30 days before `until`, or two by hour. */
  @OptionalTimestamp()
  since?: string;

  /** After the last bucket, or in it. Left out: now. There are at most 744 buckets; of hours without a `script` 168. */
  @OptionalTimestamp()
  until?: string;

  /** Only runs of the script with this slug. */
  @IsOptional()
  @IsString()
  script?: string;

  /** Only runs of this version of the script. */
  @IsOptional()
  @WholeNumber()
  @IsInt()
  @Min(1)
  @Max(2_147_483_647)
  version?: number;

  /** Only runs in the environment of this name. */
  @IsOptional()
  @IsString()
  environment?: string;
}

const SECONDS = { type: 'number', format: 'double', nullable: true } as const;

export class RunQuantilesDto {
  /** Half of them had no more; null: there were none. */
  @ApiProperty(SECONDS)
  p50: number | null;

  /** 95 % of them had no more. */
  @ApiProperty(SECONDS)
  p95: number | null;
}

export class RunCountsDto {
  succeeded: number;

  /** Time-outs and lost runs are among them. */
  failed: number;

  /** Cancelled, denied or expired. */
  other: number;

  /** The share of those that succeeded among those that succeeded or failed; null: there were none. */
  @ApiProperty({ type: 'number', format: 'double', minimum: 0, maximum: 1, nullable: true })
  successRate: number | null;

  /** Seconds that those took that succeeded or failed, at most 5 % off. */
  durationSeconds: RunQuantilesDto;

  /** Seconds from when runs were asked for to when their command began, at most 5 % off. */
  waitingSeconds: RunQuantilesDto;
}

export class RunBucketDto extends RunCountsDto {
  /** When it begins. */
  at: string;
}

export class RunVersionCountsDto extends RunCountsDto {
  version: number;
}

export class RunStatisticsDto {
  @ApiProperty({ enum: UNITS })
  by: Unit;

  /** When the first bucket begins. */
  from: string;

  /** When the last one ends. */
  until: string;

  /** By when runs ended, oldest first, those without any included. Test runs are not counted. */
  buckets: RunBucketDto[];

  totals: RunCountsDto;

  /** By version where a script is named, newest first, 100 at most; otherwise none. */
  versions: RunVersionCountsDto[];
}

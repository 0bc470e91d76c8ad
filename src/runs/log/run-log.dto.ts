import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, IsOptional, Max, MaxLength, Min } from 'class-validator';

import { WholeNumber } from '../../core/http/index.js';
import { MAX_ATTEMPTS } from '../../scripts/index.js';

export class WholeLogQuery {
  /** Only the lines of this attempt. */
  @IsOptional()
  @WholeNumber()
  @IsInt()
  @Min(1)
  @Max(MAX_ATTEMPTS)
  attempt?: number;
}

export class RunLogQuery {
  /** Only the lines of this attempt. `after` goes on counting from the first line of the first one. */
  @IsOptional()
  @WholeNumber()
  @IsInt()
  @Min(1)
  @Max(MAX_ATTEMPTS)
  attempt?: number;

  /** Only lines that contain this text, in upper or lower case. All of the log is searched, also what it does not keep itself. */
  @IsOptional()
  @MaxLength(200)
  q?: string;

  /** Skips that many lines: the first of those that are wanted, counted from 0. */
  @IsOptional()
  @WholeNumber()
  @IsInt()
  @Min(0)
  @Max(2_147_483_647)
  after: number = 0;

  @IsOptional()
  @WholeNumber()
  @IsInt()
  @Min(1)
  @Max(1000)
  limit: number = 1000;

  /** Also when each line was printed. */
  @ApiPropertyOptional({ enum: ['true', 'false'], default: 'false' })
  @IsOptional()
  @IsIn(['true', 'false'])
  times?: 'true' | 'false';
}

export class RunLogStreamQuery {
  /** Lines come as `lines` events, of up to 500 each and with their time, instead of `log` events. */
  @ApiPropertyOptional({ enum: ['true', 'false'], default: 'false' })
  @IsOptional()
  @IsIn(['true', 'false'])
  batch?: 'true' | 'false';
}

export class RunLogDto {
  /** A log keeps its first 2,000 lines and its last 8,000. Between them is one that says how many were dropped. */
  lines: string[];

  /** The `after` of the next request. It jumps over lines that were dropped, and with `q` over those that do not contain it. */
  next: number;

  /** The number of each line, counted from 0. With `q` only. */
  numbers?: number[];

  /**
   * When each line was printed, with `times` only: a quarter of a second late at most, or three quarters where much is printed. Null of
   * a line that says how many were dropped, of lines that were stored before times were kept, and with `q` of all lines of a long log.
   */
  @ApiPropertyOptional({ type: 'array', items: { type: 'string', format: 'date-time', nullable: true } })
  times?: (string | null)[];

  /** With `q` of a long log, where there was no time to look at all of it: ask again with `next`. */
  @ApiPropertyOptional({ enum: [true] })
  more?: true;
}

export class WholeLogDto {
  /** Of its text: `GET /v1/runs/{runId}/log/content`. */
  bytes: number;

  /** How many lines it does not have: of an attempt it takes 256 MiB, and no more than could be stored in time. */
  missingLines: number;
}

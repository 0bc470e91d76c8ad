import { IsInt, IsOptional, Max, MaxLength, Min } from 'class-validator';

import { WholeNumber } from '../../core/http/index.js';
import { MAX_ATTEMPTS } from '../../scripts/index.js';

export class RunLogQuery {
  /** Only the lines of this attempt. `after` goes on counting from the first line of the first one. */
  @IsOptional()
  @WholeNumber()
  @IsInt()
  @Min(1)
  @Max(MAX_ATTEMPTS)
  attempt?: number;

  /** Only lines that contain this text, in upper or lower case. */
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
}

export class RunLogDto {
  /** A log keeps its first 2,000 lines and its last 8,000. Between them is one that says how many were dropped. */
  lines: string[];

  /** The `after` of the next request. It jumps over lines that were dropped, and with `q` over those that do not contain it. */
  next: number;

  /** The number of each line, counted from 0. With `q` only. */
  numbers?: number[];
}

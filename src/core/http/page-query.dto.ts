import { IsInt, IsOptional, IsString, Max, Min } from 'class-validator';

import { WholeNumber } from './whole-number.js';

/** What every list takes. */
export class PageQuery {
  /** How many items a page has at most. */
  @IsOptional()
  @WholeNumber()
  @IsInt()
  @Min(1)
  @Max(100)
  limit: number = 25;

  /** The `nextCursor` of the previous page. */
  @IsOptional()
  @IsString()
  cursor?: string;
}

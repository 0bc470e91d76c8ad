import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsOptional, IsString, Max, Min } from 'class-validator';

import { WholeNumber } from './whole-number.js';

/** A fingerprint of the list, a full stop and an id, in base64url. */
const CURSOR_LENGTH = 63;

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
  @ApiPropertyOptional({ pattern: '^[A-Za-z0-9_-]+$', minLength: CURSOR_LENGTH, maxLength: CURSOR_LENGTH })
  @IsOptional()
  @IsString()
  cursor?: string;
}

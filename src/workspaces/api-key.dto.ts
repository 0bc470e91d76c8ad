import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayNotEmpty, IsArray, IsOptional, IsString, Length } from 'class-validator';

import { SCOPES } from '../core/access/index.js';
import { IsLine, OptionalTimestamp, PageOf } from '../core/http/index.js';

export class ApiKeyInput {
  /** What the key is for. */
  @Length(1, 100)
  @IsLine()
  name: string;

  /** The name of the environment that it is bound to; null or absent for a key that acts in all. */
  @ApiProperty({ type: String, nullable: true, required: false })
  @IsOptional()
  @Length(1, 100)
  @IsString()
  environment?: string | null;

  /**
   * What it may do: at least one scope, none twice. `write` does not imply `read`, and a route that asks for no scope is
   * refused to it. null or absent: all that an admin may. Only `mcp` has to be said: it opens `/mcp`.
   */
  @ApiProperty({
    enum: SCOPES,
    isArray: true,
    nullable: true,
    required: false,
    minItems: 1,
    uniqueItems: true,
  })
  @IsOptional()
  @ArrayMaxSize(100)
  @ArrayNotEmpty({ message: 'must name a scope; leave it out for all' })
  @IsString({ each: true, message: 'must be an array of strings' })
  @IsArray()
  scopes?: string[] | null;

  /** When it stops working, in the future; null or absent for never. Whoever made it is told a week before. */
  @OptionalTimestamp({ nullable: true })
  expiresAt?: string | null;
}

export class ApiKeyDto {
  id: string;

  name: string;

  /** The name of the environment that it is bound to; null for a key that acts in all. */
  environment: string | null;

  /** The last four characters of the key. */
  last4: string;

  createdByUserId: string | null;

  /** What it may do; null for all that an admin may, except `mcp`. */
  @ApiProperty({ enum: SCOPES, isArray: true, nullable: true })
  scopes: string[] | null;

  /** When it stops working; null for never. */
  expiresAt: string | null;

  lastUsedAt: string | null;

  /** The address from which it was last used. */
  lastUsedAddress: string | null;

  createdAt: string;
}

export class ApiKeyCreatedDto extends ApiKeyDto {
  /** The key itself, shown this once. */
  key: string;
}

export class ApiKeyPage extends PageOf(ApiKeyDto) {}

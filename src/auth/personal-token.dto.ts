import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayNotEmpty, IsArray, IsOptional, IsString, Length } from 'class-validator';

import { SCOPES } from '../core/access/index.js';
import { IsLine, OptionalTimestamp, PageOf } from '../core/http/index.js';

export class PersonalTokenInput {
  /** What the token is for. */
  @Length(1, 100)
  @IsLine()
  name: string;

  /** What it may do: at least one scope, none twice. `write` does not imply `read`. */
  @ApiProperty({ enum: SCOPES, isArray: true, minItems: 1, uniqueItems: true })
  @ArrayMaxSize(100)
  @ArrayNotEmpty()
  @IsString({ each: true, message: 'must be an array of strings' })
  @IsArray()
  scopes: string[];

  /** The slugs of the workspaces in which it may act; null or absent for all that the person is in. */
  @ApiProperty({ type: [String], nullable: true, required: false, minItems: 1, uniqueItems: true })
  @IsOptional()
  @ArrayMaxSize(1000)
  @ArrayNotEmpty({ message: 'must name a workspace; leave it out for all' })
  @IsString({ each: true, message: 'must be an array of strings' })
  @IsArray()
  workspaces?: string[] | null;

  /** When it stops working, in the future; null or absent for never. Its person is told a week before. */
  @OptionalTimestamp({ nullable: true })
  expiresAt?: string | null;
}

export class PersonalTokenDto {
  id: string;

  name: string;

  @ApiProperty({ enum: SCOPES, isArray: true })
  scopes: string[];

  /** The slugs of the workspaces in which it may act; null for all that the person is in. */
  workspaces: string[] | null;

  /** The last four characters of the token. */
  last4: string;

  expiresAt: string | null;

  lastUsedAt: string | null;

  /** The address from which it was last used. */
  lastUsedAddress: string | null;

  createdAt: string;
}

export class PersonalTokenCreatedDto extends PersonalTokenDto {
  /** The token itself, shown this once. */
  token: string;
}

export class PersonalTokenPage extends PageOf(PersonalTokenDto) {}

import { ApiProperty } from '@nestjs/swagger';
import { IsOptional, IsString, Length } from 'class-validator';

import { IsLine, PageOf } from '../core/http/index.js';

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
}

export class ApiKeyDto {
  id: string;

  name: string;

  /** The name of the environment that it is bound to; null for a key that acts in all. */
  environment: string | null;

  /** The last four characters of the key. */
  last4: string;

  createdByUserId: string | null;

  lastUsedAt: string | null;

  createdAt: string;
}

export class ApiKeyCreatedDto extends ApiKeyDto {
  /** The key itself, shown this once. */
  key: string;
}

export class ApiKeyPage extends PageOf(ApiKeyDto) {}

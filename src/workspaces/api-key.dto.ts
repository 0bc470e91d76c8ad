import { ApiProperty } from '@nestjs/swagger';
import { IsOptional, IsString, Length } from 'class-validator';

import { IsLine } from '../core/http/index.js';

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
  @ApiProperty({ type: String, nullable: true })
  environment: string | null;

  /** The last four characters of the key. */
  last4: string;

  @ApiProperty({ type: String, nullable: true })
  createdByUserId: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  lastUsedAt: string | null;

  @ApiProperty({ format: 'date-time' })
  createdAt: string;
}

export class ApiKeyCreatedDto extends ApiKeyDto {
  /** The key itself, shown this once. */
  key: string;
}

export class ApiKeyPage {
  items: ApiKeyDto[];

  @ApiProperty({ type: String, nullable: true })
  nextCursor: string | null;
}

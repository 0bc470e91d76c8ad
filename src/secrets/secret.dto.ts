import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsBoolean, IsIn, IsString, Length } from 'class-validator';

import { IfGiven, IsLine, PageOf } from '../core/http/index.js';
import { SECRET_KINDS, type SecretKind } from './secret-kind.js';

const MAX_SECRET_HOSTS = 50;

const KIND = { enum: SECRET_KINDS } as const;

export class SecretInput {
  /**
   * The value, kept as it is: 1 to 65,536 bytes of UTF-8. Of the kind `aws`, JSON with `accessKeyId`, `secretAccessKey` and, for
   * temporary keys, `sessionToken`. Of the kind `postgres`, JSON with `user` and `password`, and maybe `database`, `sslmode` and `ca`. Left out where a `source` has it.
   */
  @ApiPropertyOptional({ minLength: 1, maxLength: 65_536 })
  @IsString()
  @IfGiven()
  value?: string;

  /** The name of a source, such as `vault`, which a setting or an extension adds: the value is read from there whenever a run needs it, and stored nowhere. For owners and admins in person. */
  @Length(1, 60)
  @IsLine()
  @IfGiven()
  source?: string;

  /** Which value of the source it is, in the source's own words, such as a path. */
  @Length(1, 500)
  @IsLine()
  @IfGiven()
  reference?: string;

  /** What the value is; it stays what it was when the secret was made. `aws`: keys that the gate signs requests with. `postgres`: what it signs in to PostgreSQL with. Left out: as it is, or `text` for a new secret. */
  @ApiPropertyOptional(KIND)
  @IsIn(SECRET_KINDS)
  @IfGiven()
  kind?: SecretKind;

  /** The only hosts that this value is sent to: names, with a port unless it is 443, `*.` for any below. Empty only with `allowEnv`. */
  @ApiProperty({ type: [String], maxItems: MAX_SECRET_HOSTS })
  @ArrayMaxSize(MAX_SECRET_HOSTS)
  @IsArray()
  hosts: unknown[];

  /** Whether a script may read it as an environment variable, which only a text can be. All environments share it. Left out: as it is, or false for a new secret; from false to true it takes an owner or admin in person. */
  @ApiPropertyOptional({ type: Boolean })
  @IsBoolean()
  @IfGiven()
  allowEnv?: boolean;
}

export class SecretDeleteQuery {
  /** `true` deletes the values in all environments. */
  @ApiPropertyOptional({ enum: ['true', 'false'], default: 'false' })
  @IsIn(['true', 'false'])
  @IfGiven()
  allEnvironments?: 'true' | 'false';
}

export class SecretValueDto {
  /** The environment's name. */
  environment: string;

  /** The only hosts that this environment's value is sent to. */
  hosts: string[];

  /** The name of the source that the value is read from; left out where it is stored here. */
  source?: string;

  /** Which value of the source it is; left out where it is stored here. */
  reference?: string;

  /** Who set it; null where an API key did. */
  createdByUserId: string | null;

  updatedAt: string;

  /** When a run last used it, within half a minute. */
  lastUsedAt: string | null;
}

export class SecretDto {
  id: string;

  name: string;

  /** What its values are: texts, AWS keys that the gate signs requests with, or what it signs in to PostgreSQL with. */
  @ApiProperty(KIND)
  kind: SecretKind;

  /** Whether a script may read it as an environment variable instead of having it attached to requests. */
  allowEnv: boolean;

  /** null where an API key made it. */
  createdByUserId: string | null;

  createdAt: string;

  updatedAt: string;

  /** One for each environment that has a value, which is never shown. */
  values: SecretValueDto[];
}

export class SecretSetDto extends SecretDto {
  /** What to know about the value, such as that it is too short to be masked. */
  warning?: string;
}

export class SecretPage extends PageOf(SecretDto) {}

export class SecretSourceDto {
  /** As a secret's `source` names it. */
  name: string;

  title: string;

  /** What a reference is. */
  reference: string;

  /** A reference that could be. */
  example?: string;
}

export class SecretSourceListDto {
  @ApiProperty({ type: [SecretSourceDto] })
  items: SecretSourceDto[];
}

import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Length,
  MaxLength,
  Min,
} from 'class-validator';

import { IfGiven, OpaqueJson } from '../../core/http/index.js';
import { SECRET_NAME } from '../../secrets/index.js';
import { ExpectedVersion } from '../expected-version.js';
import { MAX_TAGS, TAG } from '../tags.js';
import { ConcurrencyInput } from './concurrency.js';
import { DebounceInput } from './debounce.js';
import { MAX_METHODS, MAX_PATH_LENGTH, MAX_PATHS, METHOD, PATH } from './host-rule.form.js';
import { ResourcesInput } from './resources.js';
import { RetryInput } from './retry.js';
import {
  HEADER_NAME,
  HEADER_VALUE,
  MAX_HEADER_LENGTH,
  MAX_SECRETS,
  MAX_VALUE_LENGTH,
} from './secret-use.form.js';
import { VERSION_ORIGINS, type VersionOrigin } from './version-origin.js';

export const MAX_HOSTS = 50;
const MAX_ENV = 50;

/** A keyword that the decorators do not know. */
const NAMED_BY_SECRETS = { propertyNames: { pattern: SECRET_NAME.source } };

/** How a secret is attached to requests: to some of the version's hosts, in one header. */
export class SecretUseInput {
  /** The name of the header. */
  @ApiProperty({ pattern: HEADER_NAME.source, minLength: 1, maxLength: MAX_HEADER_LENGTH })
  header: string;

  /** Some of the version's hosts. Left out, with `host`: all of them that the secret's value allows. */
  @ApiPropertyOptional({ minItems: 1 })
  hosts?: string[];

  /** One of the version's hosts, instead of `hosts`. */
  host?: string;

  /**
   * The header's value; `{secret}` is replaced by the secret. `{base64:…}` is encoded with it: `Basic {base64:x-access-token:{secret}}`
   * makes Basic credentials of a token. `AWS4-HMAC-SHA256 {secret}` signs requests with a secret of the kind `aws`.
   */
  @ApiPropertyOptional({ default: '{secret}', pattern: HEADER_VALUE.source, maxLength: MAX_VALUE_LENGTH })
  value?: string;
}

/** A host with the only requests that it may get. Named again, it may get those as well. */
export class HostRuleInput {
  /** A name, with a port unless it is 443, `*.` for any below. */
  host: string;

  /** In upper case. Left out or null: any. GET does not include HEAD; a websocket is a GET. */
  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'string', pattern: METHOD.source },
    minItems: 1,
    maxItems: MAX_METHODS,
    nullable: true,
  })
  methods?: string[] | null;

  /** Each exact, or with a `*` at its end everything that begins so; without a query. Left out or null: any. */
  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'string', pattern: PATH.source, maxLength: MAX_PATH_LENGTH },
    minItems: 1,
    maxItems: MAX_PATHS,
    nullable: true,
  })
  paths?: string[] | null;
}

/** A script's folder, with all that decides about its runs. */
export class ScriptFolderInput {
  /** The script's folder as a .tar.gz of at most 10 MiB, in base64, without dependencies. */
  @ApiProperty({ format: 'byte', minLength: 1 })
  @IsString()
  archive: string;

  /** What a run executes, with inputs as `{name}`; `[ … ]` is left out when its inputs are empty. Worked out from the folder when it is left out. */
  @Length(1, 2000)
  @IsString()
  @IfGiven()
  command?: string;

  /** Replaces the usual installation (requirements.txt, else pyproject.toml, into .deps; package.json with npm). Runs in the folder, with package registries reachable. */
  @ApiPropertyOptional({ type: String, nullable: true, maxLength: 2000 })
  @MaxLength(2000)
  @IsString()
  @IsOptional()
  build?: string | null;

  /** A JSON Schema (2020-12) of an object. Left out: one text input for each `{name}` of the command. */
  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  @OpaqueJson()
  @IsObject()
  @IfGiven()
  inputSchema?: Record<string, unknown>;

  /** A JSON Schema (2020-12) that what the script returns must fit. */
  @ApiPropertyOptional({ type: 'object', additionalProperties: true, nullable: true })
  @OpaqueJson()
  @IsObject()
  @IsOptional()
  outputSchema?: Record<string, unknown> | null;

  /** The only hosts that the script may reach, by HTTPS: names, with a port unless it is 443, `*.` for any below. An object names the only requests that a host may get. Left out: no network. */
  @ApiPropertyOptional({
    type: 'array',
    items: { oneOf: [{ type: 'string' }, { $ref: '#/components/schemas/HostRuleInput' }] },
    maxItems: MAX_HOSTS,
  })
  @OpaqueJson()
  @ArrayMaxSize(MAX_HOSTS)
  @IsArray()
  @IfGiven()
  hosts?: unknown[];

  /** The secrets attached to its requests, by name. */
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { $ref: '#/components/schemas/SecretUseInput' },
    ...NAMED_BY_SECRETS,
    maxProperties: MAX_SECRETS,
  })
  @OpaqueJson()
  @IsObject()
  @IfGiven()
  secrets?: Record<string, unknown>;

  /** The secrets that its code reads as environment variables. */
  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'string', pattern: SECRET_NAME.source },
    maxItems: MAX_ENV,
  })
  @ArrayMaxSize(MAX_ENV)
  @IsArray()
  @IfGiven()
  env?: unknown[];

  /** How long a run may take, in seconds: 900 at most, unless the operator allows another number. Over 30 makes it a long script. */
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 604_800, default: 30 })
  @Min(1)
  @IsInt()
  @IfGiven()
  timeout?: number;

  /** What the box of a run may use. Left out or null: as usual. */
  @ApiPropertyOptional({ type: ResourcesInput, nullable: true })
  @OpaqueJson()
  @IsObject()
  @IsOptional()
  resources?: ResourcesInput | null;

  /** When a run that does not end well is tried again. Left out or null: never. */
  @ApiPropertyOptional({ type: RetryInput, nullable: true })
  @OpaqueJson()
  @IsObject()
  @IsOptional()
  retry?: RetryInput | null;

  /** Says that a run may begin once more after its worker died while it executed: what `lost` in `retry.on` needs. */
  @ApiPropertyOptional({ default: false })
  @IsBoolean()
  @IfGiven()
  idempotent?: boolean;

  /** How many runs go on at once that share a key. Left out or null: any number. */
  @ApiPropertyOptional({ type: ConcurrencyInput, nullable: true })
  @OpaqueJson()
  @IsObject()
  @IsOptional()
  concurrency?: ConcurrencyInput | null;

  /** How long a start waits for further ones of its key, which take its place. Left out or null: it does not. */
  @ApiPropertyOptional({ type: DebounceInput, nullable: true })
  @OpaqueJson()
  @IsObject()
  @IsOptional()
  debounce?: DebounceInput | null;

  /** Whether runs may begin in an interpreter that was started, or has imported packages, before them. */
  @ApiPropertyOptional({ default: true })
  @IsBoolean()
  @IfGiven()
  warm?: boolean;

  /**
   * The command names a file, such as `node main.mjs` or `python main.py`, that exports a function: its default, or `main` in Python.
   * Each run calls it with its inputs, and what it returns is the output.
   */
  @ApiPropertyOptional({ default: false })
  @IsBoolean()
  @IfGiven()
  handler?: boolean;
}

export class ScriptVersionInput extends ScriptFolderInput {
  /** Markdown, shown while this version is published. */
  @ApiPropertyOptional({ type: String, nullable: true, maxLength: 100_000 })
  @MaxLength(100_000)
  @IsString()
  @IsOptional()
  readme?: string | null;

  /** When given, they become the script's tags, which a credential that is bound to an environment cannot change. */
  @ApiPropertyOptional({ type: 'array', items: { type: 'string', pattern: TAG.source }, maxItems: MAX_TAGS })
  @ArrayMaxSize(MAX_TAGS)
  @IsArray()
  @IfGiven()
  tags?: unknown[];

  /** Through what it was made. In the app it is always `app`. */
  @ApiPropertyOptional({ enum: VERSION_ORIGINS, default: 'api' })
  @IsIn(VERSION_ORIGINS)
  @IfGiven()
  via?: VersionOrigin;

  /** The number of the newest version, 0 for none: the one that this was made from. Where it is another one no version is made: 409. */
  @ExpectedVersion()
  expectedVersion?: number;
}

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

import { IfGiven, OpaqueJson, RunsOn, Seconds, secondsForm } from '../../core/http/index.js';
import { SECRET_NAME } from '../../secrets/index.js';
import { ExpectedVersion } from '../expected-version.js';
import { MAX_TAGS, TAG } from '../tags.js';
import { ConcurrencyInput } from './concurrency.dto.js';
import { DebounceInput } from './debounce.dto.js';
import { KEY_PATTERN, MAX_KEY_LENGTH } from './key-template.js';
import { LABELS_FORM } from './labels.js';
import { KeepInput } from './keep.dto.js';
import { ResourcesInput } from './resources.dto.js';
import { RetryInput } from './retry.dto.js';
import {
  HEADER_NAME,
  HEADER_VALUE,
  MAX_HEADER_LENGTH,
  MAX_SECRETS,
  MAX_VALUE_LENGTH,
} from './secret-use.form.js';
import { VERSION_ORIGINS, type VersionOrigin } from './version-origin.js';

const MAX_HOSTS = 50;
const MAX_ENV = 50;
const MAX_MESSAGE_LENGTH = 500;
const TEMPLATE_FORM = { minLength: 1, maxLength: MAX_KEY_LENGTH, pattern: KEY_PATTERN };

/** A keyword that the decorators do not know. */
const NAMED_BY_SECRETS = { propertyNames: { pattern: SECRET_NAME.source } };

/** How a secret is attached to requests: to some of the version's hosts, in one header. */
export class SecretUseInput {
  /** The name of the header. Left out only where all of its hosts speak PostgreSQL: the gate signs in there with a secret of the kind `postgres`. */
  @ApiPropertyOptional({ pattern: HEADER_NAME.source, minLength: 1, maxLength: MAX_HEADER_LENGTH })
  header?: string;

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

  /** The only hosts that the script may reach, by HTTPS unless an object says otherwise: names, with a port unless it is 443, `*.` for any below. An object names the only requests that a host may get, or another protocol. Left out: no network. */
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

  /** How long a run may take, in seconds or as a text such as `15m`, which is the most unless the operator allows another number. Over 30 s makes it a long script. */
  @ApiPropertyOptional(secondsForm({ type: 'integer', minimum: 1, maximum: 604_800, default: 30 }))
  @Seconds()
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

  /** The tags that a worker must carry to run it, all of them. Where the environment names any, those count instead. */
  @RunsOn({ default: [] })
  runsOn?: unknown[];

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

  /** Labels of its runs, by name: text with inputs as `{name}`. What comes out empty is left out. A start may give others of the same name. */
  @ApiPropertyOptional({
    ...LABELS_FORM,
    additionalProperties: { type: 'string', ...TEMPLATE_FORM },
    default: {},
  })
  @OpaqueJson()
  @IsObject()
  @IfGiven()
  labels?: Record<string, unknown>;

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

  /**
   * How long the process that calls the function stays for further runs of this version. Only with `handler`. What the function leaves
   * in memory is there in the next run; everything else of a run ends with it. Left out or null: each run has a process of its own.
   */
  @ApiPropertyOptional({ type: KeepInput, nullable: true })
  @OpaqueJson()
  @IsObject()
  @IsOptional()
  keep?: KeepInput | null;
}

export class ScriptVersionInput extends ScriptFolderInput {
  /** Markdown, shown while this version is published. */
  @ApiPropertyOptional({ type: String, nullable: true, maxLength: 100_000 })
  @MaxLength(100_000)
  @IsString()
  @IsOptional()
  readme?: string | null;

  /** What is new in it, for whoever looks at the list of versions. */
  @ApiPropertyOptional({ type: String, nullable: true, maxLength: MAX_MESSAGE_LENGTH })
  @MaxLength(MAX_MESSAGE_LENGTH)
  @IsString()
  @IsOptional()
  message?: string | null;

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

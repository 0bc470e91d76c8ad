import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

import type { HostProtocol, HostRule } from '../../../libs/egress/index.js';
import type { JsonSchema } from '../../../libs/json-schema/index.js';
import { PageOf } from '../../core/http/index.js';
import { ConcurrencyDto } from './concurrency.dto.js';
import { DebounceDto } from './debounce.dto.js';
import { ASKS, PROTOCOLS } from './host-rule.form.js';
import { KeepDto } from './keep.dto.js';
import { ResourcesDto } from './resources.dto.js';
import { RetryDto } from './retry.dto.js';
import type { VersionOrigin } from './version-origin.js';

export class SecretUseDto {
  /** Of the version's hosts, those that the secret may go to. */
  hosts: string[];

  /** Empty: it is in no request, the gate signs in with it. */
  header: string;

  /** The header's value; `{secret}` is replaced by the secret. `AWS4-HMAC-SHA256 {secret}`: the request is signed with its keys. */
  value: string;
}

/** What holds on each connection to a PostgreSQL server. */
export class PostgresRuleDto {
  /** The only database; null: the one that the secret or the client names. */
  database: string | null;

  /** Taken after the sign-in; null: none. */
  role: string | null;

  readOnly: boolean;

  /** In seconds; null: what the server has. */
  @ApiProperty({ type: 'integer', nullable: true })
  statementTimeout: number | null;

  @ApiProperty({ type: 'integer' })
  maxConnections: number;
}

export class PlannedResponseDto {
  @ApiProperty({ type: 'integer' })
  status: number;

  body: string | null;

  /** Of the body. */
  contentType: string | null;
}

/** Which requests a host gets, or how else it is spoken to. Several for one host are alternatives. */
export class HostRuleDto {
  /** One of the version's hosts. */
  host: string;

  /** null: any. A websocket is a GET. */
  methods: string[] | null;

  /** Each exact, or everything that begins so where it ends in `*`. null: any. */
  paths: string[] | null;

  /** How it is spoken to. Left out: HTTPS. */
  @ApiPropertyOptional({ enum: PROTOCOLS })
  protocol?: HostProtocol;

  /** Each request that fits, or of PostgreSQL each statement that may write, waits until a person has approved exactly it; `agents`: where an agent has started the run. Left out: none does. */
  @ApiPropertyOptional({ enum: ASKS })
  ask?: NonNullable<HostRule['ask']>;

  /** What a request that fits gets in a plan, where it is not sent. Left out: 409. */
  plan?: PlannedResponseDto;

  /** Of a host that speaks PostgreSQL. */
  postgres?: PostgresRuleDto;
}

export class VersionAuthorDto {
  userId: string;

  name: string;
}

export class ScriptVersionDto {
  id: string;

  /** Counted from 1 within the script. */
  number: number;

  /** What a run executes, with inputs as `{name}`. */
  command: string;

  /** The install command that replaces the usual one; null means the usual one. */
  build: string | null;

  /** The end of what installing the dependencies printed; null where nothing was installed. */
  buildLog: string | null;

  @ApiProperty({ type: 'object', additionalProperties: true })
  inputSchema: JsonSchema;

  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  outputSchema: JsonSchema | null;

  /** The size of the folder with its dependencies, compressed, in bytes. */
  archiveBytes: number;

  /** The SHA-256 of the archive as it was uploaded, in hex. */
  archiveSha256: string;

  /** How long a run may take; over 30 it is a long run. */
  timeoutSeconds: number;

  /** What the box of a run may use; null: the usual. */
  @ApiProperty({ type: ResourcesDto, nullable: true })
  resources: ResourcesDto | null;

  /** The tags that a worker must carry; empty: any worker will do. */
  runsOn: string[];

  /** When a run that did not end well is tried again; null: never. */
  @ApiProperty({ type: RetryDto, nullable: true })
  retry: RetryDto | null;

  /** Whether a run whose worker died while it executed may begin once more. */
  idempotent: boolean;

  /** How many of its runs go on at once that share a key; null: any number. */
  @ApiProperty({ type: ConcurrencyDto, nullable: true })
  concurrency: ConcurrencyDto | null;

  /** How long a start waits for further ones of its key, which take its place; null: it does not. */
  @ApiProperty({ type: DebounceDto, nullable: true })
  debounce: DebounceDto | null;

  /** Labels of its runs, by name: text with inputs as `{name}`. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  labels: Record<string, string>;

  /** Whether runs may begin in an interpreter that was started, or has imported packages, before them. */
  warm: boolean;

  /** Whether its command names a file that exports a function, which each run calls with its inputs. */
  handler: boolean;

  /** How long the process that calls it stays for further runs; null: it ends with its run. */
  @ApiProperty({ type: KeepDto, nullable: true })
  keep: KeepDto | null;

  /** The only hosts that its code may reach; empty means no network. */
  hosts: string[];

  /** Which requests of its code those hosts get. A host without a rule gets any. */
  hostRules: HostRuleDto[];

  /** The secrets attached to its requests, by name. */
  @ApiProperty({ type: 'object', additionalProperties: { $ref: '#/components/schemas/SecretUseDto' } })
  secrets: Record<string, SecretUseDto>;

  /** The secrets that its code reads as environment variables. */
  env: string[];

  createdVia: VersionOrigin;

  /** What is new in it, as whoever made it says; null: they have not said. */
  message: string | null;

  /** Who made it; null for an API key. */
  createdBy: VersionAuthorDto | null;

  /** Whether runs use it now. */
  published: boolean;

  /** When it was last published. */
  publishedAt: string | null;

  createdAt: string;
}

export class ScriptVersionPage extends PageOf(ScriptVersionDto) {}

import { ApiProperty } from '@nestjs/swagger';

import type { JsonSchema } from '../../../libs/json-schema/index.js';
import { PageOf } from '../../core/http/index.js';
import { ConcurrencyDto } from './concurrency.js';
import { DebounceDto } from './debounce.js';
import { ResourcesDto } from './resources.js';
import { RetryDto } from './retry.js';
import type { VersionOrigin } from './version-origin.js';

export class SecretUseDto {
  /** Of the version's hosts, those that the secret may go to. */
  hosts: string[];

  header: string;

  /** The header's value; `{secret}` is replaced by the secret. `AWS4-HMAC-SHA256 {secret}`: the request is signed with its keys. */
  value: string;
}

/** Which requests a host gets. Several for one host are alternatives. */
export class HostRuleDto {
  /** One of the version's hosts. */
  host: string;

  /** null: any. A websocket is a GET. */
  methods: string[] | null;

  /** Each exact, or everything that begins so where it ends in `*`. null: any. */
  paths: string[] | null;
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

  /** Whether runs may begin in an interpreter that was started, or has imported packages, before them. */
  warm: boolean;

  /** Whether its command names a file that exports a function, which each run calls with its inputs. */
  handler: boolean;

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

  /** Who made it; null for an API key. */
  createdBy: VersionAuthorDto | null;

  /** Whether runs use it now. */
  published: boolean;

  /** When it was last published. */
  publishedAt: string | null;

  createdAt: string;
}

export class ScriptVersionPage extends PageOf(ScriptVersionDto) {}

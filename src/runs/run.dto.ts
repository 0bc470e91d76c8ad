import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, IsObject, IsOptional, IsString, Max, Min } from 'class-validator';

import { IfGiven, IsTimestamp, OpaqueJson, PageOf, PageQuery, WholeNumber } from '../core/http/index.js';
import type { RawJson } from '../core/json/index.js';
import { FileDto } from '../files/index.js';
import {
  RUN_INTERFACES,
  RUN_STATUSES,
  type RunInterface,
  type RunPhase,
  type RunStatus,
} from './run.status.js';

export class RunInput {
  /** The inputs, as the version's `inputSchema` says. A file is given by its id. */
  @ApiPropertyOptional({ type: 'object', additionalProperties: true, default: {} })
  @IfGiven()
  @OpaqueJson({ mayBeLarge: true })
  @IsObject({ message: 'must be an object' })
  inputs?: Record<string, unknown> | RawJson;

  /** Through what the run was started. In the app it is always `app`, for an agent `mcp`. */
  @ApiPropertyOptional({ enum: ['api', 'cli'], default: 'api' })
  @IfGiven()
  @IsIn(['api', 'cli'])
  via?: 'api' | 'cli';
}

export class RunListQuery extends PageQuery {
  /** Only runs of the script with this slug. */
  @IsOptional()
  @IsString()
  script?: string;

  @IsOptional()
  @IsIn(RUN_STATUSES)
  status?: RunStatus;

  /** Only runs in the environment of this name. */
  @IsOptional()
  @IsString()
  environment?: string;

  @IsOptional()
  @IsIn(RUN_INTERFACES)
  interface?: RunInterface;

  /** Only runs that this schedule started. */
  @IsOptional()
  @IsString()
  scheduleId?: string;

  /** Only runs that this trigger started. */
  @IsOptional()
  @IsString()
  triggerId?: string;

  /** Only runs that the person with this user id started, or a token, app, schedule or trigger of theirs. */
  @IsOptional()
  @IsString()
  startedBy?: string;

  /** Only runs that were asked for from this moment on. */
  @ApiPropertyOptional({ format: 'date-time' })
  @IsOptional()
  @IsTimestamp()
  since?: string;

  /** Only runs that were asked for before this moment. */
  @ApiPropertyOptional({ format: 'date-time' })
  @IsOptional()
  @IsTimestamp()
  until?: string;
}

export class RunScriptDto {
  id: string;
  slug: string;
}

export class RunStarterDto {
  /** null for an API key of the workspace. */
  userId: string | null;

  /** `pat`, `api_key` or `oauth`; null in the app and for schedules and triggers. */
  credentialType: string | null;

  credentialName: string | null;
}

export class RunNetworkDto {
  /** With its port where that is not 443. `(port 5432)` counts connections to a port that the gate does not serve, whatever their host. */
  host: string;

  /** Requests that were let through. */
  requests: number;

  /** Requests, or connections to such a port, that were refused; the log says why. */
  denied: number;

  bytesIn: number;

  bytesOut: number;
}

export class RunDto {
  id: string;
  script: RunScriptDto;
  version: number;
  environment: string;

  status: RunStatus;

  /** Where it is on its way; `running` covers `queued`, `starting` and `executing`. */
  phase: RunPhase;

  /** The inputs with defaults filled in. On a single run only. */
  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  inputs?: RawJson;

  @ApiPropertyOptional({
    type: Object,
    nullable: true,
    description: 'What the script returned: any JSON; null on failure. On a single run only.',
  })
  output?: RawJson | null;

  /** Why it failed, in words that tell what to do. */
  error: string | null;

  startedBy: RunStarterDto;

  interface: RunInterface;

  approvalRequestId: string | null;

  scheduleId: string | null;

  triggerId: string | null;

  /** 0 to 1, as the script reported it. */
  @ApiProperty({ format: 'double', minimum: 0, maximum: 1 })
  progress: number | null;

  progressMessage: string | null;

  /** A test of a chosen version. */
  test: boolean;

  /** How many lines its log has had, those that are no longer kept included. */
  logLines: number;

  /** When it was asked for. */
  startedAt: string;

  /** When its command began. */
  executionStartedAt: string | null;

  finishedAt: string | null;

  /** Of the execution alone. */
  durationMs: number | null;

  /** While it is queued: how many runs are before it, counted to 1,000. On a single run only. */
  queuedBehind?: number;

  /** What its code did over the network, by host, once it is finished. On a single run only. */
  network?: RunNetworkDto[];

  /** Files given as inputs and files written to /outputs. On a single run only. */
  files?: FileDto[];
}

export class RunApprovalDto {
  id: string;
  approveUrl: string;
}

export class HeldRunDto extends RunDto {
  /** The request that a person decides, when the run is held for one. */
  approval: RunApprovalDto | null;
}

export class RunPageDto extends PageOf(RunDto) {}

export class RunLogQuery {
  /** Skips that many lines: the first of those that are wanted, counted from 0. */
  @IsOptional()
  @WholeNumber()
  @IsInt()
  @Min(0)
  @Max(2_147_483_647)
  after: number = 0;

  @IsOptional()
  @WholeNumber()
  @IsInt()
  @Min(1)
  @Max(1000)
  limit: number = 1000;
}

export class RunLogDto {
  /** A log keeps its first 2,000 lines and its last 8,000. Between them is one that says how many were dropped. */
  lines: string[];

  /** The `after` of the next request. It jumps over lines that were dropped. */
  next: number;
}

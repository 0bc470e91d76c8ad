import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';

import { ExportOf, IsTimestamp, PageOf, PageQuery, Repeatable, WholeNumber } from '../core/http/index.js';
import type { RawJson } from '../core/json/index.js';
import { FileDto } from '../files/index.js';
import { LABELS_FORM } from '../scripts/index.js';
import { RunAttemptDto, RunNetworkDto } from './attempts/run-attempt.dto.js';
import { RunDebounceDto } from './debounce/run-debounce.dto.js';
import { CAUSES, type CauseType } from './run.cause.js';
import {
  AreLabelFilters,
  AreStatuses,
  LABEL_FILTERS_FORM,
  MOST_SECONDS,
  statusesForm,
} from './run-filters.form.js';
import {
  END_REASONS,
  type EndReason,
  RUN_INTERFACES,
  type RunInterface,
  type RunPhase,
  type RunStatus,
} from './run.status.js';
import { HasWords } from './search/has-words.js';
import { LONGEST_QUERY } from './search/search-words.js';

export class RunListQuery extends PageQuery {
  /** Only runs of the script with this slug. */
  @IsOptional()
  @IsString()
  script?: string;

  /** Only runs of this status, or of these, separated by commas. */
  @ApiPropertyOptional(statusesForm())
  @IsOptional()
  @AreStatuses()
  status?: string;

  /** Only runs with this label, by its name or as `name=value`. Given several times: with all of them. */
  @ApiPropertyOptional(LABEL_FILTERS_FORM)
  @Repeatable()
  @IsOptional()
  @AreLabelFilters()
  label?: string[];

  /** Only runs in which these words are, or words that begin so, in upper or lower case: in their labels, their error, and inputs and outputs of up to 8 KiB. The id of a run finds it, too. What has just begun or ended is found some seconds later. */
  @IsOptional()
  @MaxLength(LONGEST_QUERY)
  @HasWords()
  q?: string;

  /** Only runs whose execution has taken so many seconds. */
  @IsOptional()
  @WholeNumber()
  @IsInt()
  @Min(0)
  @Max(MOST_SECONDS)
  minSeconds?: number;

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

  /** Only runs that requests to this hook started. */
  @IsOptional()
  @IsString()
  hookId?: string;

  /** Only runs that this caused: the id of a run, event, schedule, trigger, hook, batch or conversation. */
  @IsOptional()
  @IsString()
  causedBy?: string;

  /** Only runs that failed with this error. */
  @IsOptional()
  @IsString()
  errorId?: string;

  /** Only runs that the person with this user id started, or a token, app, schedule, trigger or hook of theirs. */
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

export class RunExportQuery extends ExportOf(RunListQuery) {}

export class RunScriptDto {
  id: string;
  slug: string;
}

export class RunStarterDto {
  /** null for an API key of the workspace. */
  userId: string | null;

  /** `pat`, `api_key` or `oauth`; null in the app and for schedules, triggers and hooks. */
  credentialType: string | null;

  credentialName: string | null;
}

export class RunCauseDto {
  /**
   * `run`: its script started this one, or an event of it did, or its request to a hook. `rerun`: of that run. `event`: a
   * trigger was fired by it.
   */
  @ApiProperty({ enum: CAUSES, enumName: 'RunCauseType' })
  type: CauseType;

  id: string;
}

export class RunDto {
  id: string;
  script: RunScriptDto;
  /** The number of the version that it runs; 0 for a trial, which has none. */
  version: number;
  environment: string;

  status: RunStatus;

  /** Where it is on its way; `running` covers `delayed`, until `startAt`, `waiting` for its turn, `queued`, `starting`, `executing` and `retrying`, which waits for its next attempt. */
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

  hookId: string | null;

  /** What stands directly before it; null: nothing but who started it. */
  causedBy: RunCauseDto | null;

  /** 0 to 1, as the script reported it. */
  @ApiProperty({ format: 'double', minimum: 0, maximum: 1 })
  progress: number | null;

  progressMessage: string | null;

  /** A test of a chosen version. */
  test: boolean;

  /** A test of a trial: of a folder that is no version. */
  trial: boolean;

  /** How many lines its log has had, those that are no longer kept included. */
  logLines: number;

  /** The number of its newest attempt, from 1. */
  attempt: number;

  /** While it is `retrying`: when its next attempt is queued. */
  nextAttemptAt: string | null;

  /** It is not queued before; null: at once. */
  startAt: string | null;

  /** It is cancelled where it has not begun by then; null: never. */
  expiresAt: string | null;

  /** -10 to 10. Those of a higher one begin first. */
  @ApiProperty({ type: 'integer' })
  priority: number;

  /** With which runs of its script and environment it shares places: what its inputs make of the version's key. Empty: with all, as in a queue without a key; null: with none. */
  concurrencyKey: string | null;

  /** The queue of the workspace in which it waits, or that gave it its place; null: none. */
  queue: string | null;

  /** Which further starts take its place while it is `delayed`; null: none, each makes a run. */
  debounce: RunDebounceDto | null;

  /** By which it is found: what its start gives, what its version makes of its inputs, and what it prints as `::label name=value`. */
  @ApiProperty(LABELS_FORM)
  labels: Record<string, string>;

  /** Why it was cancelled without anybody asking for it: it had not begun in time. */
  @ApiProperty({ enum: END_REASONS, enumName: 'RunEndReason', nullable: true })
  endReason: EndReason | null;

  /** When it was asked for. */
  startedAt: string;

  /** When its command began. */
  executionStartedAt: string | null;

  finishedAt: string | null;

  /** Of the execution alone. */
  durationMs: number | null;

  /** Processor time of all its processes in its newest attempt. null where it is not known. */
  cpuMs: number | null;

  /** The most memory that all its processes had at a time in its newest attempt, with what they kept in files. null where it is not known. */
  peakMemoryBytes: number | null;

  /** While it is queued: how many runs are before it, counted to 1,000. On a single run only. */
  queuedBehind?: number;

  /** While it is delayed, waiting or queued: why, in a sentence. On a single run only. */
  waitsBecause?: string;

  /** All that began, the newest last. On a single run only. */
  attempts?: RunAttemptDto[];

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

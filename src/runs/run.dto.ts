import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

import { PageOf } from '../core/http/index.js';
import type { RawJson } from '../core/json/index.js';
import { FileDto } from '../files/index.js';
import { LABELS_FORM } from '../scripts/index.js';
import { RunAttemptDto, RunNetworkDto } from './attempts/run-attempt.dto.js';
import { RunDebounceDto } from './debounce/run-debounce.dto.js';
import { WholeLogDto } from './log/run-log.dto.js';
import { OUTPUT_VIEWS, type OutputView } from './output/output-view.js';
import { CAUSES, type CauseType } from './run.cause.js';
import {
  END_REASONS,
  type EndReason,
  type RunInterface,
  type RunPhase,
  type RunStatus,
} from './run.status.js';

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

  /** The ids of the requests for approval that wait while it executes: for each request that it wants to send and that a person has to approve, the oldest first. */
  waitingApprovalIds: string[];

  scheduleId: string | null;

  triggerId: string | null;

  hookId: string | null;

  /** What stands directly before it; null: nothing but who started it. */
  causedBy: RunCauseDto | null;

  /** 0 to 1, as the script reported it. */
  @ApiProperty({ format: 'double', minimum: 0, maximum: 1 })
  progress: number | null;

  progressMessage: string | null;

  /** What the script asks for its output to be shown as: the last `::view …` that it printed on standard error. */
  @ApiProperty({ enum: OUTPUT_VIEWS, nullable: true })
  outputView: OutputView | null;

  /** A test of a chosen version. */
  test: boolean;

  /** A test of a trial: of a folder that is no version. */
  trial: boolean;

  /** A plan: it only reads, and what it would send is listed instead. */
  plan: boolean;

  /** How many requests and connections a plan would have made, those that are not listed included. 0 for what is no plan. */
  @ApiProperty({ type: 'integer' })
  plannedRequests: number;

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

  /** The tags that its worker must carry, as its environment or version said when it was asked for; empty: any worker will do. */
  runsOn: string[];

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

  /** While it is delayed, waiting, queued or without the memory that it asks for, or a request of it waits for approval: why, in a sentence. On a single run only. */
  waitsBecause?: string;

  /** All that began, the newest last. On a single run only. */
  attempts?: RunAttemptDto[];

  /** What its code did over the network, by host, once it is finished. On a single run only. */
  network?: RunNetworkDto[];

  /** Files given as inputs and files written to /outputs. On a single run only. */
  files?: FileDto[];

  /** What there is of a log of which lines lie in the file store, once the run is finished; null: none do. On a single run only. */
  wholeLog?: WholeLogDto | null;
}

export class RunApprovalDto {
  id: string;
  approveUrl: string;
}

export class HeldRunDto extends RunDto {
  /** The request that a person decides: about the run where it is held for one, or about the first request of it that waits for one. */
  approval: RunApprovalDto | null;
}

export class RunPageDto extends PageOf(RunDto) {}

import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsInt, Length, Max, Min } from 'class-validator';

import { IfGiven, IsTimestamp, PageOf } from '../../core/http/index.js';
import { RunStarterDto } from '../run.dto.js';
import { RUN_INTERFACES, type RunInterface } from '../run.status.js';
import {
  MOST_RUNS_OF_AN_OPERATION,
  OPERATION_KINDS,
  OPERATION_STATUSES,
  type OperationKind,
  type OperationStatus,
  STATUSES_FOR,
  USUAL_RUNS_OF_AN_OPERATION,
} from './run-operation.rules.js';

/** What narrows the list of runs, none of it null or empty: that would mean all by mistake. And how many of those that fit. */
class RunOperationInput {
  /** Only runs of the script with this slug. */
  @IfGiven()
  @Length(1, 255)
  script?: string;

  /** Only runs in the environment of this name. */
  @IfGiven()
  @Length(1, 255)
  environment?: string;

  @IfGiven()
  @IsIn(RUN_INTERFACES)
  interface?: RunInterface;

  /** Only runs that this schedule started. */
  @IfGiven()
  @Length(1, 255)
  scheduleId?: string;

  /** Only runs that this trigger started. */
  @IfGiven()
  @Length(1, 255)
  triggerId?: string;

  /** Only runs that requests to this hook started. */
  @IfGiven()
  @Length(1, 255)
  hookId?: string;

  /** Only runs that this caused: the id of a run, event, schedule, trigger, hook, batch or conversation. */
  @IfGiven()
  @Length(1, 255)
  causedBy?: string;

  /** Only runs that failed with this error. */
  @IfGiven()
  @Length(1, 255)
  errorId?: string;

  /** Only runs that the person with this user id started, or a token, app, schedule, trigger or hook of theirs. */
  @IfGiven()
  @Length(1, 255)
  startedBy?: string;

  /** Only runs that were asked for from this moment on. */
  @ApiPropertyOptional({ format: 'date-time' })
  @IfGiven()
  @IsTimestamp()
  since?: string;

  /** Only runs that were asked for before this moment. */
  @ApiPropertyOptional({ format: 'date-time' })
  @IfGiven()
  @IsTimestamp()
  until?: string;

  /** Without anything that narrows: all runs that the caller may see. */
  @IfGiven()
  @IsBoolean()
  all: boolean = false;

  /** Only tells how many runs fit, and changes nothing. */
  @IfGiven()
  @IsBoolean()
  dryRun: boolean = false;

  /** How many runs it takes at most: the newest that fit. */
  @IfGiven()
  @IsInt()
  @Min(1)
  @Max(MOST_RUNS_OF_AN_OPERATION)
  limit: number = USUAL_RUNS_OF_AN_OPERATION;
}

export class RunsCancelInput extends RunOperationInput {
  @ApiPropertyOptional({ enum: STATUSES_FOR.cancel })
  @IfGiven()
  @IsIn(STATUSES_FOR.cancel)
  status?: (typeof STATUSES_FOR.cancel)[number];
}

export class RunsRerunInput extends RunOperationInput {
  @ApiPropertyOptional({ enum: STATUSES_FOR.rerun })
  @IfGiven()
  @IsIn(STATUSES_FOR.rerun)
  status?: (typeof STATUSES_FOR.rerun)[number];
}

export class MatchingRunsDto {
  /** How many runs fit, counted to `limit`. */
  matched: number;

  /** More fit than `limit`. */
  more: boolean;
}

class LeftOutRunDto {
  runId: string;

  /** `skipped`: by the rules that hold for this run alone. `failed`: it could not be carried out. */
  @ApiProperty({ enum: ['skipped', 'failed'] })
  result: 'skipped' | 'failed';

  reason: string;
}

export class RunOperationDto {
  id: string;

  @ApiProperty({ enum: OPERATION_KINDS, enumName: 'RunOperationKind' })
  kind: OperationKind;

  /** `completed`: each of its runs was dealt with. `failed`: it ended before that, and `error` says why. */
  @ApiProperty({ enum: OPERATION_STATUSES, enumName: 'RunOperationStatus' })
  status: OperationStatus;

  /** What was asked for. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  filter: Record<string, string>;

  /** How many runs belong to it: those that fitted when it was asked for, at most its `limit`. */
  matched: number;

  /** More fitted than its `limit`. */
  more: boolean;

  /** Runs that were cancelled, or whose worker was asked to end them; or that were started again. */
  done: number;

  /** Runs that are left as they were: `leftOut` has the first of them, and why. */
  skipped: number;

  /** Runs that could not be dealt with, by a fault of the service. */
  failed: number;

  /** The first 100 runs that were skipped or failed. On a single operation only. */
  leftOut?: LeftOutRunDto[];

  /** Why it ended before its end. */
  error: string | null;

  /** Why it does not go on just now. */
  waitsBecause: string | null;

  startedBy: RunStarterDto;

  createdAt: string;

  finishedAt: string | null;
}

export class RunOperationPageDto extends PageOf(RunOperationDto) {}

import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsInt, Length, Max, MaxLength, Min } from 'class-validator';

import { IfGiven, IsTimestamp, PageOf, Seconds, secondsForm } from '../../core/http/index.js';
import { RunStarterDto } from '../run.dto.js';
import {
  AreLabelFilters,
  AreStatuses,
  LABEL_FILTERS_FORM,
  MOST_SECONDS,
  statusesForm,
} from '../run-filters.form.js';
import { HasWords } from '../search/has-words.js';
import { LONGEST_QUERY } from '../search/search-words.js';
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

const FILTER_VALUES = [{ type: 'string' }, { type: 'integer' }, { type: 'array', items: { type: 'string' } }];

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

  /** `true`: only plans. `false`: none of them. */
  @ApiPropertyOptional({ enum: ['true', 'false'] })
  @IfGiven()
  @IsIn(['true', 'false'])
  plan?: 'true' | 'false';

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

  /** Only runs with all of these labels, each its name or `name=value`. */
  @ApiPropertyOptional(LABEL_FILTERS_FORM)
  @IfGiven()
  @AreLabelFilters()
  label?: string[];

  /** Only runs in which these words are, as in the list of runs. */
  @IfGiven()
  @HasWords()
  @MaxLength(LONGEST_QUERY)
  q?: string;

  /** Only runs whose execution has taken so long: seconds, or a text such as `5m`. */
  @ApiPropertyOptional(secondsForm({ type: 'integer', minimum: 0, maximum: MOST_SECONDS }))
  @IfGiven()
  @Seconds()
  @IsInt()
  @Min(0)
  @Max(MOST_SECONDS)
  minSeconds?: number;

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
  /** Only runs of this status, or of these, separated by commas: awaiting_approval, running. */
  @ApiPropertyOptional(statusesForm(STATUSES_FOR.cancel))
  @IfGiven()
  @AreStatuses(STATUSES_FOR.cancel)
  status?: string;
}

export class RunsRerunInput extends RunOperationInput {
  /** Only runs of this status, or of these, separated by commas: succeeded, failed, cancelled. */
  @ApiPropertyOptional(statusesForm(STATUSES_FOR.rerun))
  @IfGiven()
  @AreStatuses(STATUSES_FOR.rerun)
  status?: string;
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
  @ApiProperty({ type: 'object', additionalProperties: { oneOf: FILTER_VALUES } })
  filter: Record<string, string | number | string[]>;

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

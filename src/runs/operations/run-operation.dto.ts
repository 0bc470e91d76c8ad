import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsInt, Max, Min } from 'class-validator';

import { IfGiven, PageOf } from '../../core/http/index.js';
import { RunListQuery, RunStarterDto } from '../run.dto.js';
import {
  MOST_RUNS_OF_AN_OPERATION,
  OPERATION_KINDS,
  OPERATION_STATUSES,
  type OperationKind,
  type OperationStatus,
  STATUSES_FOR,
  USUAL_RUNS_OF_AN_OPERATION,
} from './run-operation.rules.js';

/** What narrows the list of runs, and how many of those that fit. */
class RunOperationInput extends OmitType(RunListQuery, ['status', 'limit', 'cursor']) {
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

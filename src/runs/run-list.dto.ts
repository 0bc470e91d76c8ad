import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';

import {
  ExportOf,
  OptionalTimestamp,
  PageQuery,
  Repeatable,
  Seconds,
  secondsForm,
  WholeNumber,
} from '../core/http/index.js';
import {
  AreLabelFilters,
  AreStatuses,
  LABEL_FILTERS_FORM,
  MOST_SECONDS,
  statusesForm,
} from './run-filters.form.js';
import { RUN_INTERFACES, type RunInterface } from './run.status.js';
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

  /** Only runs whose execution has taken so long: seconds, or a text such as `5m`. */
  @ApiPropertyOptional(secondsForm({ type: 'integer', minimum: 0, maximum: MOST_SECONDS }))
  @IsOptional()
  @WholeNumber()
  @Seconds()
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

  /** `true`: only plans, which send nothing. `false`: none of them. */
  @ApiPropertyOptional({ enum: ['true', 'false'] })
  @IsOptional()
  @IsIn(['true', 'false'])
  plan?: 'true' | 'false';

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
  @OptionalTimestamp()
  since?: string;

  /** Only runs that were asked for before this moment. */
  @OptionalTimestamp()
  until?: string;
}

export class RunExportQuery extends ExportOf(RunListQuery) {}

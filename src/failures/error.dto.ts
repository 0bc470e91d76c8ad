import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString } from 'class-validator';

import { OptionalTimestamp, PageOf, PageQuery } from '../core/http/index.js';
import { RunScriptDto } from '../runs/index.js';
import { ERROR_STATUSES, type ErrorStatus } from './error.status.js';

export class ErrorListQuery extends PageQuery {
  /** Only errors of the script with this slug. */
  @IsOptional()
  @IsString()
  script?: string;

  @ApiPropertyOptional({ enum: ERROR_STATUSES, enumName: 'ErrorStatus' })
  @IsOptional()
  @IsIn(ERROR_STATUSES)
  status?: ErrorStatus;

  /** Only errors in the environment of this name. */
  @IsOptional()
  @IsString()
  environment?: string;
}

export class ErrorIgnoreInput {
  /** A moment that is to come: it is open again from then on. Left out, or null: it is ignored for good. */
  @OptionalTimestamp({ nullable: true })
  until?: string | null;
}

export class ErrorGroupDto {
  id: string;

  /** What went wrong. `<n>`, `<id>`, `<value>`, `<address>` and `<path>` stand for what differs from run to run. */
  title: string;

  /** The type of the exception, where the script's runs ended with a traceback of Python or Node. */
  exception: string | null;

  /** The file and function of the script in which it was thrown. */
  place: string | null;

  /** What its newest run said: the traceback, or the error. Secrets are masked in it. */
  sample: string;

  script: RunScriptDto;

  environment: string;

  /** `ignored` and `resolved` ones are counted, too. A resolved one that comes again is `open`, and so is an ignored one whose time is over. */
  @ApiProperty({ enum: ERROR_STATUSES, enumName: 'ErrorStatus' })
  status: ErrorStatus;

  /** While it is ignored: until when; null: for good. */
  ignoreUntil: string | null;

  /** How many runs have failed with it. */
  count: number;

  firstAt: string;

  lastAt: string;

  /** The newest run that failed with it. */
  latestRunId: string;

  /** The version of the script that this run had. */
  version: number;
}

export class ErrorGroupPage extends PageOf(ErrorGroupDto) {}

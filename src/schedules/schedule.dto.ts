import { ApiProperty, ApiPropertyOptional, PickType } from '@nestjs/swagger';
import { IsBoolean, IsInt, IsOptional, IsString, Length, Max, Min, MinLength } from 'class-validator';

import { IfGiven, IsLine, JsonObject, PageOf, PageQuery, PatchOf, WholeNumber } from '../core/http/index.js';
import { RunScriptDto } from '../runs/index.js';
import { IsCron, IsTimeZone } from './schedule.validators.js';

const CRON = {
  minLength: 1,
  maxLength: 100,
  example: '30 9 * * mon-fri',
  description:
    'Minute, hour, day of month, month and weekday, with names, ranges, steps and lists, or one of @hourly, @daily, @midnight, @weekly, @monthly, @yearly and @annually. 0 and 7 are Sunday. Where neither day field has a `*`, a day that fits either is enough. With a fixed hour, a time that the clocks skip is due when they jump and one that they show twice is due once; with `*` or a step in the hour field it is due as often as the clocks show it.',
};
const TIMEZONE = { example: 'Europe/Berlin', description: 'The name of an IANA time zone.' };
const INPUTS = {
  type: 'object',
  additionalProperties: true,
  description:
    "The inputs of its runs, which must fit the published version's `inputSchema`. Files cannot be given, since uploads expire.",
} as const;

export class ScheduleInput {
  @Length(1, 100)
  @IsLine()
  name: string;

  @ApiProperty(CRON)
  @IsCron()
  cron: string;

  @ApiPropertyOptional({ ...TIMEZONE, default: 'UTC' })
  @IsTimeZone()
  @IfGiven()
  timezone?: string;

  @ApiPropertyOptional({ ...INPUTS, default: {} })
  @JsonObject()
  @IfGiven()
  inputs?: Record<string, unknown>;

  /** The environment of its runs, by name. Without it: the one that the request acts in. */
  @MinLength(1)
  @IsString()
  @IfGiven()
  environment?: string;
}

export class SchedulePatch extends PatchOf(ScheduleInput, ['name', 'cron']) {
  @ApiPropertyOptional(TIMEZONE)
  @IsTimeZone()
  @IfGiven()
  timezone?: string;

  @ApiPropertyOptional({ ...INPUTS, description: `${INPUTS.description} They replace the earlier ones.` })
  @JsonObject()
  @IfGiven()
  inputs?: Record<string, unknown>;

  /** Switches it off and on. Switched on, it goes on with the next time that it is due. */
  @IsBoolean()
  @IfGiven()
  enabled?: boolean;

  /** Moves its runs to another environment, by name. */
  @MinLength(1)
  @IsString()
  @IfGiven()
  environment?: string;
}

export class SchedulePreviewQuery extends PickType(ScheduleInput, ['cron', 'timezone']) {}

export class SchedulePreviewDto {
  /** The next five, the first one first; fewer where there are not as many. */
  @ApiProperty({ type: 'array', items: { type: 'string', format: 'date-time' }, maxItems: 5 })
  times: string[];
}

/** A week of hours has more; what runs so often is not planned by the clock. */
export const MOST_UPCOMING = 60;
const MOST_UPCOMING_DAYS = 7;

export class ScheduleListQuery extends PageQuery {
  /** Also the times at which each is due within so many days from now. */
  @IsOptional()
  @WholeNumber()
  @IsInt()
  @Min(1)
  @Max(MOST_UPCOMING_DAYS)
  upcoming?: number;
}

export class ScheduleDto {
  id: string;

  name: string;

  /** What it runs. */
  script: RunScriptDto;

  /** The name of the environment that its runs use. */
  environment: string;

  cron: string;

  timezone: string;

  @ApiProperty({ type: 'object', additionalProperties: true })
  inputs: Record<string, unknown>;

  enabled: boolean;

  /** Why the system switched it off. null while it is on, and where somebody switched it off. */
  disabledReason: string | null;

  /** Whom its runs are started as. null where an API key made it. */
  createdByUserId: string | null;

  /** With `upcoming` of the list only: when it is due, the next time first. The first 60 where there are more. */
  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'string', format: 'date-time' },
    maxItems: MOST_UPCOMING,
  })
  upcoming?: string[];

  /** null while it is switched off. */
  nextRunAt: string | null;

  lastRunAt: string | null;

  lastRunId: string | null;
}

export class SchedulePage extends PageOf(ScheduleDto) {}

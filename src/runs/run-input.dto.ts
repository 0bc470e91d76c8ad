import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsInt, IsObject, IsOptional, Max, Min } from 'class-validator';

import { IfGiven, IsMoment, MOMENT, OpaqueJson } from '../core/http/index.js';
import type { RawJson } from '../core/json/index.js';
import { LABELS_FORM, RetryInput } from '../scripts/index.js';

const MAX_PRIORITY = 10;

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

  /** When this run is tried again, instead of what the version says. null: never. */
  @ApiPropertyOptional({ type: RetryInput, nullable: true })
  @OpaqueJson()
  @IsObject()
  @IsOptional()
  retry?: RetryInput | null;

  /** The run is not queued before, at most a year from now: a timestamp, or a time from now such as `2h`. Its end is not waited for. A moment that is over starts it at once. */
  @ApiPropertyOptional(MOMENT)
  @IfGiven()
  @IsMoment()
  startAt?: string;

  /** The run is cancelled where it has not begun by then. Later than `startAt`, by at most a year. A timestamp, or a time from now such as `26h`. */
  @ApiPropertyOptional(MOMENT)
  @IfGiven()
  @IsMoment()
  expiresAt?: string;

  /** Of the workspace's runs that wait for a worker, those of a higher priority begin first. */
  @ApiPropertyOptional({ type: 'integer', minimum: -MAX_PRIORITY, maximum: MAX_PRIORITY, default: 0 })
  @IfGiven()
  @IsInt()
  @Min(-MAX_PRIORITY)
  @Max(MAX_PRIORITY)
  priority?: number;

  /** By which the run is found, besides those that the version makes of its inputs: of the same name, these count. */
  @ApiPropertyOptional({ ...LABELS_FORM, default: {} })
  @IfGiven()
  @OpaqueJson()
  @IsObject()
  labels?: Record<string, string>;

  /**
   * Only plans the run: what reads passes, and what would send is refused and listed (`GET /v1/runs/{runId}/planned`). A plan is never
   * tried again, waits for no further starts and shares no places. It needs what a run needs, and counts as one in usage.
   */
  @ApiPropertyOptional({ default: false })
  @IfGiven()
  @IsBoolean()
  plan?: boolean;
}

import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsInt, IsOptional, Length, Matches, Max, Min } from 'class-validator';

import { IfGiven, PageOf } from '../core/http/index.js';
import { MAX_QUEUE_LIMIT } from './queue.entity.js';
import { QUEUE_NAME, QUEUE_NAME_RULE } from './queue-name.js';

const LIMIT = { type: 'integer', minimum: 1, maximum: MAX_QUEUE_LIMIT, nullable: true } as const;

export class QueuePatch {
  /** How many runs of its scripts go on at once. null: as many as there are workers for. */
  @ApiPropertyOptional(LIMIT)
  @Max(MAX_QUEUE_LIMIT)
  @Min(1)
  @IsInt()
  @IsOptional()
  limit?: number | null;

  /** No run of its scripts begins. Those that go on do. */
  @IsBoolean()
  @IfGiven()
  paused?: boolean;
}

export class QueueInput extends QueuePatch {
  /** Lower-case letters, digits and dashes, beginning with a letter or digit. Unique in the workspace; it cannot be changed. */
  @ApiProperty({ pattern: QUEUE_NAME.source, minLength: 1, maxLength: 100 })
  @Matches(QUEUE_NAME, { message: QUEUE_NAME_RULE })
  @Length(1, 100)
  name: string;
}

export class QueueDto {
  id: string;

  name: string;

  /** How many runs of its scripts go on at once; null: as many as there are workers for. */
  @ApiProperty(LIMIT)
  limit: number | null;

  /** No run of its scripts begins. Those that go on do. */
  paused: boolean;

  /** Runs that have a place: they go on, or are the next for a worker. Counted to 1,000, whoever may see them. */
  going: number;

  /** Runs that wait for a place. Counted to 1,000, whoever may see them. */
  waiting: number;

  /** null where an API key made it. */
  createdByUserId: string | null;

  createdAt: string;

  updatedAt: string;
}

export class QueuedScriptDto {
  slug: string;

  name: string;
}

export class QueueDetailDto extends QueueDto {
  /** The scripts in it that the caller may see, by slug, at most 100. */
  scripts: QueuedScriptDto[];
}

export class QueuePage extends PageOf(QueueDto) {}

import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

import { KEY_FORM, KEY_PATTERN } from './key-template.js';

export const MAX_LIMIT = 1000;
export const ON_LIMIT = ['queue', 'skip', 'replace'] as const;

const LIMIT_FORM = { type: 'integer', minimum: 1, maximum: MAX_LIMIT } as const;

/** How many runs go on at once that share a key. */
export class ConcurrencyDto {
  @ApiProperty(LIMIT_FORM)
  limit: number;

  /** Runs share places whose inputs make the same text of it; null: all runs of the script in their environment. */
  @ApiProperty(KEY_FORM)
  key: string | null;

  /** What becomes of a run while as many go on as may. */
  @ApiProperty({ enum: ON_LIMIT, enumName: 'OnLimit' })
  onLimit: (typeof ON_LIMIT)[number];
}

/** How many runs go on at once that share a key. */
export class ConcurrencyInput {
  @ApiProperty(LIMIT_FORM)
  limit: number;

  /** Text with inputs as `{name}`: runs share places whose inputs make the same of it, in one environment. Left out or null: all runs of the script do. */
  @ApiPropertyOptional({ ...KEY_FORM, pattern: KEY_PATTERN })
  key?: string | null;

  /** What becomes of a run while as many go on as may: it waits for its turn, is cancelled, or the oldest is cancelled for it. */
  @ApiPropertyOptional({ enum: ON_LIMIT, enumName: 'OnLimit', default: 'queue' })
  onLimit?: (typeof ON_LIMIT)[number];
}

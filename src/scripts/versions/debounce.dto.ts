import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

import { secondsForm } from '../../core/http/index.js';
import { KEY_FORM, KEY_PATTERN } from './key-template.js';

export const LONGEST_WAIT = 3_600;
export const LONGEST_MAX_WAIT = 86_400;

const WAIT_FORM = { type: 'integer', minimum: 1, maximum: LONGEST_WAIT } as const;
const MAX_WAIT_FORM = { type: 'integer', minimum: 1, maximum: LONGEST_MAX_WAIT } as const;

/** How long a start waits for further ones that take its place. */
export class DebounceDto {
  /** A start takes the place of one whose inputs make the same text of it; null: of any of the script in its environment. */
  @ApiProperty(KEY_FORM)
  key: string | null;

  /** In seconds, from the newest start on. */
  @ApiProperty(WAIT_FORM)
  wait: number;

  /** In seconds, from the first start on: the run waits no longer. */
  @ApiProperty(MAX_WAIT_FORM)
  maxWait: number;
}

/** How long a start waits for further ones that take its place. */
export class DebounceInput {
  /** Text with inputs as `{name}`: a start takes the place of one whose inputs make the same of it, in one environment. Left out or null: of any of the script. */
  @ApiPropertyOptional({ ...KEY_FORM, pattern: KEY_PATTERN })
  key?: string | null;

  /** In seconds or as a text such as `5m`, from the newest start on. */
  @ApiProperty(secondsForm(WAIT_FORM))
  wait: number | string;

  /** As `wait`, from the first start on: the run waits no longer. No less than `wait`. Left out: ten times that, a day at most. */
  @ApiPropertyOptional(secondsForm(MAX_WAIT_FORM))
  maxWait?: number | string;
}

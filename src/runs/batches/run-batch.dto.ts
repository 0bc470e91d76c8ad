import { ApiProperty, OmitType } from '@nestjs/swagger';
import { IsDefined } from 'class-validator';

import { OpaqueJson } from '../../core/http/index.js';
import type { RawJson } from '../../core/json/index.js';
import { RunInput } from '../run-input.dto.js';

export const MOST_OF_A_BATCH = 1000;

/** What a start takes besides its inputs counts for all runs of the batch. */
export class RunBatchInput extends OmitType(RunInput, ['inputs', 'plan']) {
  /** The inputs of each run, as the version's `inputSchema` says. They hold no files. */
  @ApiProperty({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    minItems: 1,
    maxItems: MOST_OF_A_BATCH,
  })
  @OpaqueJson({ mayBeLarge: true })
  @IsDefined({ message: 'must be an array' })
  inputs: unknown[] | RawJson;
}

export class RunBatchDto {
  id: string;

  /** The ids of its runs, in the order of their inputs. */
  runs: string[];
}

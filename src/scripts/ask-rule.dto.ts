import { ApiProperty } from '@nestjs/swagger';

import type { JsonSchema } from '../../libs/json-schema/index.js';
import { ASKED_OF } from './ask-rule.js';

export class AskRuleDto {
  /** A JSON Schema of the inputs, with defaults filled in. Its `title` is told to whoever decides. */
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    example: {
      title: 'more than 100',
      required: ['amount'],
      properties: { amount: { exclusiveMinimum: 100 } },
    },
  })
  when: JsonSchema;

  /** Whose runs: those that agents start, or all. */
  @ApiProperty({ enum: ASKED_OF })
  who: (typeof ASKED_OF)[number];
}

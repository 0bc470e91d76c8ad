import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { IsDefined } from 'class-validator';

import { OpaqueJson } from '../../core/http/index.js';
import { HeldRunDto } from '../../runs/index.js';
import type { Ending } from './chat-limits.js';
import { CHAT_ROLES, MOST_CHARACTERS, MOST_MESSAGES } from './chat-messages.js';

export class ChatMessageInput {
  /** Who said it: the person, or the agent in an earlier response. */
  role: (typeof CHAT_ROLES)[number];

  @ApiProperty({ minLength: 1, maxLength: MOST_CHARACTERS })
  content: string;
}

export class ChatInput {
  /** The conversation so far, which is kept nowhere else; the last message is the person's. At most 400 KiB of text. */
  @ApiProperty({
    type: 'array',
    items: { $ref: getSchemaPath(ChatMessageInput) },
    minItems: 1,
    maxItems: MOST_MESSAGES,
  })
  @OpaqueJson({ mayBeLarge: true })
  @IsDefined({ message: 'must be an array' })
  messages: unknown;
}

export class ChatReplyDto {
  @ApiProperty({ enum: ['assistant'] })
  role: 'assistant';

  content: string;
}

export class ChatUsageDto {
  /** Tokens that the model read, in all turns. */
  inputTokens: number;

  /** Tokens that it wrote. */
  outputTokens: number;

  /** How often it was asked. */
  turns: number;
}

export class ChatDto {
  message: ChatReplyDto;

  /** The runs that the agent started, in that order, as it saw them last; as in a list, without inputs and output. */
  runs: HeldRunDto[];

  usage: ChatUsageDto;

  /**
   * `answered`: the model had said all that it wanted. Otherwise what stopped it: too many `turns`, `calls` of tools, `runs` or `tokens` for one
   * message, its `time`, a `budget` that is used up, or the model `refused`.
   */
  ending: Ending;
}

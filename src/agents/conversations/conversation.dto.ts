import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Length } from 'class-validator';

import { IfGiven, IsText, PageOf } from '../../core/http/index.js';
import { MOST_CHARACTERS } from '../chat/chat-messages.js';

export class ConversationDto {
  id: string;

  /** How its first message begins; empty before. */
  title: string;

  /** The agent answers a message just now; it takes no other before. */
  answering: boolean;

  createdAt: string;

  /** When something was said last. */
  updatedAt: string;
}

export class ConversationPage extends PageOf(ConversationDto) {}

export class ConversationCallDto {
  /** The name of the tool. */
  tool: string;

  /** The slug of the script whose run it is about. */
  @ApiProperty({ type: String, nullable: true })
  script: string | null;

  /** What the model called it with; null where you may not see the script any more. */
  @ApiProperty({ description: 'JSON', nullable: true })
  input: unknown;

  /** What the model was told of it; null while it goes on, where it was broken off, or where you may not see the script any more. */
  result: string | null;

  /** The run that it started or is about. */
  runId: string | null;

  /** The run had not ended: what came of it is filled in with the next message. */
  waits: boolean;
}

export class ConversationMessageDto {
  @ApiProperty({ enum: ['user', 'assistant'] })
  role: 'user' | 'assistant';

  /** Empty where the agent only called tools. */
  content: string;

  /** In one response of its model. */
  calls: ConversationCallDto[];

  createdAt: string;
}

export class ConversationDetailDto extends ConversationDto {
  messages: ConversationMessageDto[];
}

export class ConversationMessageInput {
  /** Left out: the agent goes on, now that a run for which it waited has ended. */
  @ApiPropertyOptional({ minLength: 1, maxLength: MOST_CHARACTERS })
  @Length(1, MOST_CHARACTERS)
  @IsText()
  @IfGiven()
  content?: string;
}

import { applyDecorators } from '@nestjs/common';
import { ApiOkResponse, ApiProduces, ApiResponse, getSchemaPath } from '@nestjs/swagger';

import { ChatDto } from './chat.dto.js';

const EVENT = {
  type: 'object' as const,
  properties: {
    event: { type: 'string' as const, enum: ['text', 'tool', 'run', 'done', 'error'] },
    data: { type: 'string' as const, description: 'JSON.' },
  },
};

/** What a route responds with whose agent answers. */
export const ApiAnswers = (): MethodDecorator =>
  applyDecorators(
    ApiProduces('application/json', 'text/event-stream'),
    ApiOkResponse({
      description: 'What the agent said and did.',
      content: {
        'application/json': { schema: { $ref: getSchemaPath(ChatDto) } },
        'text/event-stream': { schema: EVENT },
      },
    }),
    ApiResponse({
      status: 503,
      description: 'No language model is set, or it failed; the message says which.',
    }),
  );

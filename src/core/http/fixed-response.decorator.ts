import { applyDecorators, UseInterceptors } from '@nestjs/common';
import { ApiOkResponse, type ApiResponseOptions, ApiResponse } from '@nestjs/swagger';

import { FixedResponseInterceptor } from './fixed-response.interceptor.js';

const text = (description: string) => ({ description, schema: { type: 'string' as const } });

const HEADERS = {
  ETag: text('Changes with the response.'),
  'Cache-Control': text('Whether and how long it may be kept.'),
};

/** Sends the `FixedResponse` that a route returns, and documents it. */
export function ApiFixedResponse(response: ApiResponseOptions): MethodDecorator {
  return applyDecorators(
    UseInterceptors(FixedResponseInterceptor),
    ApiOkResponse({ headers: HEADERS, ...response } as ApiResponseOptions),
    ApiResponse({
      status: 304,
      description: 'The client has it already, says its `If-None-Match`.',
      headers: HEADERS,
    }),
  );
}

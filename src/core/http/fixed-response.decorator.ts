import { applyDecorators } from '@nestjs/common';
import { ApiOkResponse, type ApiResponseOptions, ApiResponse } from '@nestjs/swagger';

const text = (description: string) => ({ description, schema: { type: 'string' as const } });

const HEADERS = {
  ETag: text('Changes with the answer.'),
  'Cache-Control': text('Whether and how long it may be kept.'),
};

/** Documents a route that returns a `FixedResponse`. */
export function ApiFixedResponse(response: ApiResponseOptions): MethodDecorator {
  return applyDecorators(
    ApiOkResponse({ headers: HEADERS, ...response } as ApiResponseOptions),
    ApiResponse({
      status: 304,
      description: 'The client has it already, says its `If-None-Match`.',
      headers: HEADERS,
    }),
  );
}

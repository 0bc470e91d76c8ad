import { applyDecorators, UseInterceptors } from '@nestjs/common';
import { ApiOkResponse, ApiProduces, ApiResponse } from '@nestjs/swagger';

import { ByteResponseInterceptor } from './byte-response.interceptor.js';

const text = (description: string) => ({ description, schema: { type: 'string' as const } });

const HEADERS = {
  ETag: text('Of a file the SHA-256 of its bytes, in hex. It is another one where the bytes are.'),
  'Accept-Ranges': text('Always `bytes`.'),
  'Cache-Control': text('Always `private`.'),
  'Content-Disposition': text('Always `attachment`, with the name as `filename*`.'),
  'Content-Security-Policy': text("Always `sandbox; default-src 'none'`."),
  'X-Content-Type-Options': text('Always `nosniff`.'),
};

/** What generators of clients know as bytes; they leave a response out that has other types alone. */
const BYTES = 'application/octet-stream';

/** Sends the `ByteContent` that a route returns, and documents it. */
export function ApiByteResponse(mediaType: string): MethodDecorator {
  const schema = { type: 'string' as const, format: 'binary' };
  const content = { [BYTES]: { schema }, [mediaType]: { schema } };
  return applyDecorators(
    UseInterceptors(ByteResponseInterceptor),
    ApiProduces(...Object.keys(content)),
    ApiOkResponse({ description: 'The bytes.', headers: HEADERS, content }),
    ApiResponse({
      status: 206,
      description: 'The part of the bytes that `Range` asks for.',
      headers: { ...HEADERS, 'Content-Range': text('Such as `bytes 0-99/1000`.') },
      content,
    }),
    ApiResponse({
      status: 304,
      description: 'The client has these bytes already, says its `If-None-Match`.',
    }),
    ApiResponse({
      status: 416,
      description: 'No byte lies in the range (`invalid_request`).',
      headers: { 'Content-Range': text('`bytes */` and how many there are.') },
    }),
  );
}

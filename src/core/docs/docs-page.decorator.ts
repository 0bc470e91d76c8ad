import { Header, applyDecorators } from '@nestjs/common';
import { ApiProduces } from '@nestjs/swagger';

import { Access } from '../access/index.js';
import { ApiFixedResponse, FixedResponse } from '../http/index.js';

/** Only files and responses of our own origin, no inline code, in nobody's frame. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A route that shows a page to anybody. */
export const Page = (): MethodDecorator =>
  applyDecorators(
    Access('public'),
    Header('content-security-policy', POLICY),
    Header('referrer-policy', 'no-referrer'),
    ApiProduces('text/html'),
    ApiFixedResponse({ description: 'The page.', schema: { type: 'string' } }),
  );

export function pageOf(text: string): FixedResponse {
  return new FixedResponse(text, 'text/html; charset=utf-8');
}

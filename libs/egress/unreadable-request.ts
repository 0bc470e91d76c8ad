import type { Refusal } from './refusal.js';
import { headersTooLong, malformed, methodRefused } from './request-checks.js';

/** Why Node could not read a request. @returns null for a connection that simply ended */
export function unreadable({ code = '', message }: NodeJS.ErrnoException): Refusal | null {
  if (code === 'HPE_INVALID_METHOD') return methodRefused('that the request names');
  if (code === 'HPE_HEADER_OVERFLOW') return headersTooLong();
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return { ...malformed("the request's headers took too long"), status: 408, code: 'request_timeout' };
  }
  if (code.startsWith('HPE_'))
    return malformed(`the request is not proper HTTP/1.1: ${message.replace(/^Parse Error: /, '')}`);
  return null;
}

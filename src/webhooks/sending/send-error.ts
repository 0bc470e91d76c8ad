import { ConnectionLost, EgressError, MalformedResponse } from '../../../libs/egress/index.js';

export const ATTEMPT_TIMEOUT_MS = 10_000;

/** The attempt took longer than an attempt may take. */
export class AttemptTimedOut extends Error {}

/**
 * Why there was no complete response, in words that may be told to whoever registered the URL.
 *
 * @param began whether the response had begun
 */
export function whyNoResponse(error: Error, began: boolean): string {
  if (error instanceof AttemptTimedOut) {
    return `there was no complete response within ${ATTEMPT_TIMEOUT_MS / 1000} s`;
  }
  if (error instanceof ConnectionLost) {
    return began ? 'the response broke off before its end' : 'the connection was closed without a response';
  }
  if (error instanceof EgressError) return error.reason;
  if (error instanceof MalformedResponse) return `the response cannot be read: ${error.reason}`;
  return 'the connection failed';
}

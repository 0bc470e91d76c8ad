import { EgressError } from '../../../libs/egress/index.js';

export const ATTEMPT_TIMEOUT_MS = 10_000;

/** The attempt took longer than an attempt may take. */
export class AttemptTimedOut extends Error {}

/** The answer broke off before its end. */
export class AnswerBrokeOff extends Error {}

const REASONS: Record<string, string> = {
  ECONNRESET: 'the connection was reset before the answer was complete',
  EPIPE: 'the connection was closed before the request was sent',
  ETIMEDOUT: 'the connection timed out',
};

/** Why there was no answer, in words that may be shown to whoever registered the URL. */
export function whyNoAnswer(error: Error): string {
  if (error instanceof AttemptTimedOut) {
    return `there was no complete answer within ${ATTEMPT_TIMEOUT_MS / 1000} s`;
  }
  if (error instanceof AnswerBrokeOff) return 'the answer broke off before its end';
  if (error instanceof EgressError) return error.reason;
  const { code } = error as NodeJS.ErrnoException;
  if (code?.startsWith('HPE_')) return 'the answer is not HTTP';
  return REASONS[code ?? ''] ?? 'the connection failed';
}

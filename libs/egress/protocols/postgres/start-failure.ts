import { EgressError, EgressRefused } from '../../errors.js';
import { whyHandshakeFailed } from '../../why-handshake-failed.js';
import { errorResponse, Fatal } from './messages.js';
import { ConnectionEnded, Malformed } from './read-bytes.js';
import { SessionRefused } from './session-start.js';
import { SignInRefused } from './sign-in.js';

/** A session has not been opened in time. */
export class TooSlow extends Error {}

/** Why a session was not opened, for both who has to know. */
export interface StartFailure {
  /** Whose doing it is: of the box, or of the host. */
  by: 'box' | 'host';
  /** A clause for the log. */
  reason: string;
  /** An ErrorResponse for the client. */
  response: Buffer;
}

/** @returns why a client has not come as far as its start-up message; null where there is nothing to say */
export function whyNotBegun(error: unknown): StartFailure | null {
  if (error instanceof ConnectionEnded) return null;
  if (error instanceof TooSlow) return ofBox('it took too long to say what it wants', '08P01');
  if (error instanceof Malformed) return ofBox(error.message, '08P01');
  const reason = error instanceof Error ? whyHandshakeFailed(error) : null;
  return reason === null ? null : ofBox(reason, '08P01');
}

/** @returns why the host has opened no session */
export function whyNotOpened(host: string, error: unknown): StartFailure {
  if (error instanceof Fatal) {
    const { code, message, hint } = error;
    const response = errorResponse({ severity: 'FATAL', code, message, hint });
    return { by: 'box', reason: clauseOf(message), response };
  }
  if (error instanceof SessionRefused) return { by: 'host', reason: error.message, response: error.whole };
  if (error instanceof EgressError) {
    const by = error instanceof EgressRefused ? 'box' : 'host';
    return ofHost(host, error.reason, '08001', by);
  }
  if (error instanceof SignInRefused) return ofHost(host, error.message, error.code);
  if (error instanceof Malformed) return ofHost(host, error.message, '08006');
  if (error instanceof TooSlow) return ofHost(host, 'it did not open a session in time', '08001');
  return ofHost(host, 'it closed the connection before the session was open', '08006');
}

/** A sentence, as it stands behind a colon. A keyword at its beginning keeps its letters. */
export function clauseOf(sentence: string): string {
  const isKeyword = /^[A-Z]{2}/.test(sentence);
  const first = isKeyword ? sentence.charAt(0) : sentence.charAt(0).toLowerCase();
  return `${first}${sentence.slice(1).replace(/\.$/, '')}`;
}

function ofBox(reason: string, code: string): StartFailure {
  const message = `The gate has closed the connection: ${reason}.`;
  return { by: 'box', reason, response: errorResponse({ severity: 'FATAL', code, message }) };
}

function ofHost(host: string, reason: string, code: string, by: StartFailure['by'] = 'host'): StartFailure {
  const message = `The gate could not open a session at ${host}: ${reason}.`;
  return { by, reason, response: errorResponse({ severity: 'FATAL', code, message }) };
}

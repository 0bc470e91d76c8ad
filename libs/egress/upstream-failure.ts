import { ConnectFailed, DnsFailed, EgressError, EgressRefused } from './errors.js';
import type { Refusal } from './refusal.js';

/** The host took too long: connected, but silent. */
export class UpstreamSilent extends Error {
  constructor(readonly afterMs: number) {
    super(`no byte for ${afterMs} ms`);
  }
}

/** The request's body cannot be hashed for its signature. The message is a clause. */
export class UnhashableBody extends Error {}

/** It was decided before anything left. */
export class NotSent extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.reason);
  }
}

/** The host's response cannot be passed on. */
export class UnreadableResponse extends Error {}

/** What the script is told when its request could not be completed. @param error of the dialer, of Node's HTTP client, or one of the above */
export function describeFailure(host: string, error: unknown): Refusal {
  if (error instanceof NotSent) return error.refusal;
  if (error instanceof EgressRefused) return failure(host, 403, 'address_refused', error.reason);
  if (error instanceof EgressError) {
    const status = error.timedOut ? 504 : 502;
    const unreachable = error instanceof DnsFailed || error instanceof ConnectFailed;
    const code = error.timedOut ? 'upstream_timeout' : unreachable ? 'host_unreachable' : 'upstream_failed';
    return failure(host, status, code, error.reason);
  }
  if (error instanceof UpstreamSilent) {
    return failure(
      host,
      504,
      'upstream_timeout',
      `it sent nothing for ${Math.round(error.afterMs / 1000)} s`,
    );
  }
  if (error instanceof UnhashableBody) return notSignable(host, error.message);
  if (error instanceof UnreadableResponse) return failure(host, 502, 'unreadable_answer', error.message);
  const code = String((error as { code?: unknown } | null)?.code ?? '');
  if (code === 'HPE_HEADER_OVERFLOW')
    return failure(host, 502, 'unreadable_answer', 'the headers of its response are too long');
  if (code.startsWith('HPE_')) {
    return failure(
      host,
      502,
      'unreadable_answer',
      `its response is not proper HTTP/1.1 (${code.slice(4).toLowerCase()})`,
    );
  }
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === '') {
    return failure(host, 502, 'upstream_failed', 'it closed the connection before its response was complete');
  }
  return failure(host, 502, 'upstream_failed', `the connection broke (${code})`);
}

/** @param problem a clause */
export function notSignable(host: string, problem: string): Refusal {
  const reason = `it cannot be signed with AWS keys: ${problem}`;
  const message = `The request to ${host} cannot be signed with AWS keys: ${problem}.`;
  return { status: 400, code: 'request_not_signable', reason, message };
}

function failure(host: string, status: number, code: Refusal['code'], reason: string): Refusal {
  return { status, code, reason, message: `The request to ${host} failed: ${reason}.` };
}

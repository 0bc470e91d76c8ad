import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** A response of the gate's own instead of the host's. */
export interface Refusal {
  status: number;
  code: RefusalCode;
  /** For the log, after the host: a clause. */
  reason: string;
  /** For whoever reads the response: what was wrong, and what to do. */
  message: string;
}

export type RefusalCode =
  | 'address_refused'
  | 'host_mismatch'
  | 'host_not_declared'
  | 'host_unreachable'
  | 'malformed_request'
  | 'method_not_allowed'
  | 'no_server_name'
  | 'request_not_declared'
  | 'request_not_signable'
  | 'request_timeout'
  | 'too_many_requests'
  | 'unreadable_answer'
  | 'upstream_failed'
  | 'upstream_timeout';

/** The header that tells the gate's responses from the host's. */
const MARK = 'x-gate-error';

function bodyOf({ code, message }: Refusal): Buffer {
  return Buffer.from(`${JSON.stringify({ error: { code, message } })}\n`);
}

/** Refuses a request. `close` where what follows on the connection cannot be trusted. */
export function refuse(res: ServerResponse, refusal: Refusal, close = false): void {
  const body = bodyOf(refusal);
  // The reason phrase is given because Node would otherwise keep the host's, which it has just refused to write.
  res.writeHead(refusal.status, STATUS_CODES[refusal.status] ?? 'Refused', {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
    'cache-control': 'no-store',
    [MARK]: refusal.code,
    ...(close && { connection: 'close' }),
  });
  res.end(body);
}

/** Refuses on a connection that carries no request that could be read, and closes it. */
export function refuseRaw(socket: Duplex, refusal: Refusal): void {
  const body = bodyOf(refusal);
  const head = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status] ?? 'Refused'}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${body.length}`,
    `${MARK}: ${refusal.code}`,
    'connection: close',
  ];
  socket.end(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]));
}

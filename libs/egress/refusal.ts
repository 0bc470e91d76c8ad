import { type IncomingHttpHeaders, STATUS_CODES, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** A response of the gate's own instead of the host's. */
export interface Refusal {
  status: number;
  code: RefusalCode;
  /** For the log, after the host: a clause. */
  reason: string;
  /** For whoever reads the response: what was wrong, and what to do. */
  message: string;
  /** What the version declares for a plan: the script gets this, and not the refusal. */
  planned?: PlannedResponse;
}

/** Of a request that is not sent, since its run is only planned. */
export interface PlannedResponse {
  status: number;
  /** null: none. */
  body: string | null;
  /** Of the body. */
  contentType: string | null;
}

export type RefusalCode =
  | 'address_refused'
  | 'body_too_large'
  | 'host_mismatch'
  | 'host_not_declared'
  | 'host_unreachable'
  | 'malformed_request'
  | 'method_not_allowed'
  | 'no_server_name'
  | 'request_not_approved'
  | 'request_not_declared'
  | 'request_not_signable'
  | 'request_timeout'
  | 'too_many_requests'
  | 'unreadable_answer'
  | 'upstream_failed'
  | 'upstream_timeout'
  | 'would_have_sent';

/** The header that tells the gate's responses from the host's. */
const MARK = 'x-gate-error';

const JSON_TYPE = 'application/json; charset=utf-8';

interface RefusalBody {
  type: string;
  bytes: Buffer;
}

/**
 * In a form that its client shows to people: git shows a plain text, and AWS's clients look for the fields of AWS's own
 * errors. What is neither reads our JSON.
 */
function bodyFor({ code, message }: Refusal, headers: IncomingHttpHeaders): RefusalBody {
  const agent = headers['user-agent'] ?? '';
  const error = { code, message };
  if (agent.startsWith('git/'))
    return { type: 'text/plain; charset=utf-8', bytes: Buffer.from(`${message}\n`) };
  if (!/\b(?:boto|aws-)/i.test(agent)) return json({ error });
  if (headers['content-type']?.includes('json')) return json({ error, __type: code, message });
  const text = message.replace(/[<&]/g, (sign) => (sign === '<' ? '&lt;' : '&amp;'));
  const xml = `<ErrorResponse><Error><Code>${code}</Code><Message>${text}</Message></Error></ErrorResponse>`;
  return { type: 'application/xml', bytes: Buffer.from(xml) };
}

function json(value: object): RefusalBody {
  return { type: JSON_TYPE, bytes: Buffer.from(`${JSON.stringify(value)}\n`) };
}

/** All that some clients show, such as pip: it says whose response it is, and where to read on. */
function phraseOf({ status, code }: Refusal): string {
  return `${STATUS_CODES[status] ?? 'Refused'} (by the gate: ${code.replaceAll('_', ' ')}; see the log of the run)`;
}

/** Refuses a request. `close` where what follows on the connection cannot be trusted. */
export function refuse(res: ServerResponse, refusal: Refusal, close = false): void {
  if (refusal.planned) return respond(res, refusal.planned, close);
  const { type, bytes } = bodyFor(refusal, res.req.headers);
  // The reason phrase is given also because Node would otherwise keep the host's, which it has just refused to write.
  res.writeHead(refusal.status, phraseOf(refusal), {
    'content-type': type,
    'content-length': bytes.length,
    'cache-control': 'no-store',
    [MARK]: refusal.code,
    ...(close && { connection: 'close' }),
  });
  res.end(bytes);
}

function respond(res: ServerResponse, { status, body, contentType }: PlannedResponse, close: boolean): void {
  res.statusCode = status;
  if (contentType !== null) res.setHeader('content-type', contentType);
  if (close) res.setHeader('connection', 'close');
  res.end(body ?? '');
}

/** Refuses on a connection that carries no request that could be read, and closes it. */
export function refuseRaw(socket: Duplex, refusal: Refusal): void {
  const { bytes } = json({ error: { code: refusal.code, message: refusal.message } });
  const head = [
    `HTTP/1.1 ${refusal.status} ${phraseOf(refusal)}`,
    `content-type: ${JSON_TYPE}`,
    `content-length: ${bytes.length}`,
    `${MARK}: ${refusal.code}`,
    'connection: close',
  ];
  socket.end(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), bytes]));
}

import type { SentRequest } from './attempt.js';

/** A name and its value. */
export type Header = readonly [name: string, value: string];

const USER_AGENT = 'Gatehouse-Webhooks/1.0';

/** What of a request's headers depends on the URL alone, in the order in which they are sent. */
export function plainHeaders({ host }: URL): Header[] {
  return [
    ['host', host],
    ['user-agent', USER_AGENT],
    ['accept', '*/*'],
    ['content-type', 'application/json'],
  ];
}

/** What is different at each attempt. */
interface AttemptHeaders extends Pick<SentRequest, 'signature'> {
  at: Date;
}

/** Those that follow. @param attempt null: time and signature are made when it is sent */
export function messageHeaders(
  { id, body }: { id: string; body: string },
  attempt: AttemptHeaders | null,
): Header[] {
  return [
    ['webhook-id', id],
    ...(attempt === null
      ? []
      : ([
          ['webhook-timestamp', String(timestampOf(attempt.at))],
          ['webhook-signature', attempt.signature],
        ] satisfies Header[])),
    ['content-length', String(Buffer.byteLength(body))],
  ];
}

/** Unix time in whole seconds, as it is signed. */
export function timestampOf(at: Date): number {
  return Math.floor(at.getTime() / 1000);
}

/** As they stand in a request. */
export function headerLines(headers: readonly Header[]): string {
  return headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
}

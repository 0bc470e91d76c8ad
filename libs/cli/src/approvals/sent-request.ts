import type { ApprovalRequest } from '@gatehouse/client';

import type { Column } from '../output/print.js';

/** What a request to send a request (`request.send`) shows of it. */
interface SentInput {
  method: string;
  address: string;
  query?: string | null;
  headers?: string[];
  body?: string | null;
  bodyBytes?: number;
  bodyCut?: boolean;
  bodySha256?: string | null;
  changes?: string[];
}

/** Lines about what the gate holds. All of them are empty for every other action. */
export const SENT_REQUEST: readonly Column<ApprovalRequest>[] = [
  of('Sends', ({ method, address, query }) => `${method} ${address}${query ? `?${query}` : ''}`),
  of('Headers', ({ headers }) => below(headers)),
  of('Body', bodyText),
  of('Differs', ({ changes }) => below(changes)),
];

function of(head: string, text: (sent: SentInput) => string | null | undefined): Column<ApprovalRequest> {
  return [
    head,
    ({ action, input }) => (action === 'request.send' ? text(input as unknown as SentInput) : null),
  ];
}

function bodyText({ body, bodyBytes = 0, bodyCut, bodySha256 }: SentInput): string | null {
  if (bodyBytes === 0) return null;
  const size = `${bodyBytes} bytes${bodySha256 ? `, SHA-256 ${bodySha256}` : ''}`;
  if (!body) return `${size}, not shown`;
  return `${bodyCut ? 'the beginning of ' : ''}${size}${below(body.split('\n')) ?? ''}`;
}

/** Each line on one of its own, told from the names of fields by its place. */
function below(lines: readonly string[] | undefined): string | null {
  return lines?.length ? lines.map((line) => `\n    ${line}`).join('') : null;
}

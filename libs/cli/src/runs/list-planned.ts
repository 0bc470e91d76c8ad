import type { PlannedRequest } from '@gatehouse/client';

import type { Context } from '../context.js';
import { first } from '../output/first.js';
import { type Column, printList } from '../output/print.js';

export const PLANNED_COLUMNS: readonly Column<PlannedRequest>[] = [
  ['number', ({ number }) => number],
  ['method', ({ method }) => method],
  ['address', addressOf],
  ['bytes', ({ body }) => body.bytes],
  ['body', ({ body }) => body.text],
];

export default async function listPlanned({
  args,
  options,
  gatehouse,
}: Context<{ limit: string }>): Promise<void> {
  const list = (await gatehouse()).runs.planned(args[0]!, {
    limit: Math.min(Number(options.limit) || 1, 100),
  });
  await printList(await first(list, options.limit), options, PLANNED_COLUMNS);
}

/** `https://api.example.com/v1/charges`, `postgres://db.example.com:5432/orders`. */
function addressOf({ protocol, host, target }: PlannedRequest): string {
  const scheme = protocol === 'websocket' ? 'wss' : protocol;
  return `${scheme}://${host}${target === '' || target.startsWith('/') ? '' : '/'}${target}`;
}

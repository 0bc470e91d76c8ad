import type { Context } from '../context.js';
import { first } from '../output/first.js';
import { printList } from '../output/print.js';

export default async function listFiles({ options, gatehouse }: Context<{ limit: string }>): Promise<void> {
  const list = (await gatehouse()).files.list({ limit: Math.min(Number(options.limit) || 1, 100) });
  await printList(await first(list, options.limit), options, [
    ['id', ({ id }) => id],
    ['name', ({ name }) => name],
    ['bytes', ({ size }) => size],
    ['way', ({ direction }) => direction],
    ['run', ({ runId }) => runId],
    ['expires', ({ expiresAt }) => expiresAt],
  ]);
}

import { client } from '@gatehouse/client/operations';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { draw } from '../../../kit/testing/draw.js';
import { RunHistogram } from './run-histogram.js';

const HOUR_MS = 3_600_000;
const AT = Date.parse('2026-11-26T12:59:50Z');

beforeEach(() => vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: AT }));
afterEach(() => vi.useRealTimers());

it('asks for another week in the next hour, and tells beside what it has that it could not be read', async () => {
  const asked: string[] = [];
  let status = 200;
  client.setConfig({
    baseUrl: 'http://console.test',
    fetch: (request) => {
      const since = new URL((request as Request).url).searchParams.get('since')!;
      asked.push(since);
      return Promise.resolve(Response.json(status === 200 ? statisticsFrom(since) : {}, { status }));
    },
  });
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const screen = await draw(
    <QueryClientProvider client={queries}>
      <RunHistogram search={{ since: 'week' }} onPeriod={() => undefined} />
    </QueryClientProvider>,
  );
  const bars = screen.getByRole('group', { name: 'When they ended' });
  await expect.element(bars).toBeVisible();
  vi.advanceTimersByTime(HOUR_MS);
  await expect.poll(() => asked).toEqual(['2026-11-19T14:00:00.000Z', '2026-11-19T15:00:00.000Z']);
  await expect.poll(() => queries.isFetching()).toBe(0);
  status = 503;
  await queries.refetchQueries({ type: 'active' });
  await expect.element(screen.getByRole('alert')).toBeVisible();
  await expect.element(bars).toBeVisible();
});

function statisticsFrom(since: string) {
  const none = { succeeded: 0, failed: 0, other: 0, successRate: null };
  const buckets = Array.from({ length: 167 }, (_, at) => ({
    at: new Date(Date.parse(since) + at * HOUR_MS).toISOString(),
    ...none,
  }));
  return { by: 'hour', from: since, until: since, buckets, totals: none, versions: [] };
}

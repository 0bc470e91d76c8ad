import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

const AT = '2026-01-31T12:00:00.000Z';

let said = '';
const asked: string[] = [];
const server = createServer(({ url, headers }, response: ServerResponse) => {
  asked.push(`${url} ${headers['last-event-id']}`);
  response.setHeader('content-type', 'text/event-stream');
  response.end(said);
});

/** As of a page of the service; each page has modules of its own. */
async function newLog() {
  const { port } = server.address() as AddressInfo;
  vi.stubGlobal('document', { querySelector: () => ({ content: `http://127.0.0.1:${port}` }) });
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => setTimeout(draw));
  vi.resetModules();
  const { RunLog } = await import('./run-log.js');
  return new RunLog();
}

const eventOf = (event: string, id: number, data: object): string =>
  `event: ${event}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`;

describe('RunLog', () => {
  beforeAll(() => new Promise<void>((done) => void server.listen(0, '127.0.0.1', done)));
  afterEach(() => vi.unstubAllGlobals());
  afterAll(() => {
    server.close();
    vi.resetModules();
  });

  it.each([
    [
      'in batches, with their times',
      eventOf('lines', 2, { first: 0, lines: ['a', 'b'], at: AT }) +
        eventOf('lines', 8, { first: 7, lines: ['c'], at: null }),
      [Date.parse(AT), Date.parse(AT), null],
    ],
    [
      'one by one, of a service that knows no batches',
      eventOf('log', 1, { line: 'a' }) + eventOf('log', 2, { line: 'b' }) + eventOf('log', 8, { line: 'c' }),
      [null, null, null],
    ],
  ])('reads lines that come %s', async (_, lines, times) => {
    said = lines + eventOf('end', 8, { status: 'succeeded', error: null });
    const log = await newLog();
    await log.follow('run_1', new AbortController().signal);
    await expect.poll(() => log.snapshot().end).toEqual({ status: 'succeeded', error: null });
    const { lines: texts, numbers, times: at, count, problem } = log.snapshot();
    expect([texts, numbers, at, count, problem]).toEqual([['a', 'b', 'c'], [1, 2, 8], times, 3, null]);
    expect(asked.at(-1)).toBe('/v1/runs/run_1/log/stream?batch=true 0');
  });
});

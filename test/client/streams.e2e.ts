import { Gatehouse, type RunEvent } from '@gatehouse/client';
import type { RequestListener } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';

import {
  type FlakyService,
  cutting,
  flakyService,
  page,
  refusing,
  responding,
} from './support/flaky-service.js';

let service: FlakyService;
afterEach(() => service.close());

/** A stream of these pieces, each sent by itself; then it is ended, or cut. */
const streaming =
  (pieces: (string | Buffer)[], end: 'end' | 'cut' = 'end'): RequestListener =>
  async (request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const piece of pieces) {
      response.write(piece);
      await new Promise((done) => setTimeout(done, 20));
    }
    if (end === 'end') response.end();
    else request.socket.destroy();
  };

async function eventsOf(...responses: RequestListener[]): Promise<RunEvent[]> {
  service = await flakyService(...responses, responding(200, { id: 'run_1', status: 'succeeded' }));
  const gatehouse = new Gatehouse({ baseUrl: service.baseUrl, token: 'svc_sk_test', retries: 0 });
  const events: RunEvent[] = [];
  for await (const event of gatehouse.runs.follow('run_1')) events.push(event);
  return events;
}

const line = (number: number): string => `event: log\nid: ${number}\ndata: {"line":"line ${number}"}\n\n`;
const END = 'event: end\nid: 3\ndata: {}\n\n';
const lines = (events: RunEvent[]): string[] =>
  events.flatMap((event) => (event.type === 'log' ? [event.line] : []));

describe('a stream that is lost', () => {
  it.each(['cut', 'end'] as const)('goes on after the last event: %s', async (how) => {
    const events = await eventsOf(streaming([line(1), line(2)], how), streaming([line(3), END]));
    expect(lines(events)).toEqual(['line 1', 'line 2', 'line 3']);
    expect(events.at(-1)).toEqual({ type: 'end', run: { id: 'run_1', status: 'succeeded' } });
    expect(service.requests.map(({ headers }) => headers['last-event-id'])).toEqual([
      undefined,
      '2',
      undefined,
    ]);
  });

  it('goes on when the service was away', async () => {
    const away = refusing(503, 'unavailable');
    const events = await eventsOf(streaming([line(1)], 'cut'), away, cutting, streaming([line(2), END]));
    expect(lines(events)).toEqual(['line 1', 'line 2']);
  });

  it('does not go on where it may not', async () => {
    const asked = eventsOf(streaming([line(1)], 'cut'), refusing(404, 'not_found'));
    await expect(asked).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is not taken to be there where a proxy responds', async () => {
    await expect(eventsOf(page(200))).rejects.toMatchObject({ name: 'UnexpectedResponseError' });
    await service.close();
    await expect(eventsOf(streaming([line(1)], 'cut'), page(200))).rejects.toMatchObject({
      name: 'UnexpectedResponseError',
    });
  });

  it('is not waited for where it never was', async () => {
    await expect(eventsOf(cutting)).rejects.toMatchObject({ name: 'ConnectionError' });
  });
});

describe('a stream', () => {
  it('may be cut anywhere, and have any line ends', async () => {
    const bytes = Buffer.from(
      `: hello\r\nretry: 5\r\n\r\nevent: log\r\nid: 1\r\ndata: {"line":\r\ndata: "Grüße 🌍"}\r\n\r\nevent: log\rid:2\rdata:{"line":"b"}\r\revent: news\ndata: {}\n\n${END}`,
    );
    const pieces = Array.from(bytes, (_, index) => bytes.subarray(index, index + 1));
    const events = await eventsOf(streaming(pieces));
    expect(events).toEqual([
      { type: 'log', line: 'Grüße 🌍', number: 0 },
      { type: 'log', line: 'b', number: 1 },
      { type: 'end', run: expect.anything() },
    ]);
  });
});

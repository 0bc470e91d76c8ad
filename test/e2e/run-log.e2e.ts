import { beforeAll, describe, expect, it } from 'vitest';

import type { Client, TestWorkspace } from '../../libs/testing/index.js';
import { baseUrl, client, newWorkspace } from '../support/gatehouse.js';
import { finished, python, run, runUntil } from '../support/scripts.js';

let workspace: TestWorkspace;
let api: Client;

beforeAll(async () => {
  workspace = await newWorkspace();
  api = client({ token: workspace.owner.token, workspace: workspace.slug });
});

interface StreamEvent {
  event: string;
  id: string;
  data: Record<string, unknown>;
}

/** Reads a run's stream to its end, or until `enough` events came. */
async function follow(
  id: string,
  { from, enough, phases, batch }: { from?: string; enough?: number; phases?: true; batch?: true } = {},
): Promise<StreamEvent[]> {
  const response = await fetch(`${baseUrl()}/v1/runs/${id}/log/stream${batch ? '?batch=true' : ''}`, {
    headers: {
      authorization: `Bearer ${workspace.owner.token}`,
      'x-workspace': workspace.slug,
      ...(from !== undefined && { 'last-event-id': from }),
    },
  });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  const events: StreamEvent[] = [];
  let rest = '';
  for await (const chunk of response.body!) {
    const blocks = (rest + Buffer.from(chunk).toString()).split('\n\n');
    rest = blocks.pop()!;
    for (const block of blocks) {
      const fields = Object.fromEntries(
        block.split('\n').map((line) => [line.split(': ', 1)[0], line.slice(line.indexOf(': ') + 2)]),
      );
      if (fields['event'] === undefined || (fields['event'] === 'phase' && !phases)) continue;
      events.push({ event: fields['event'], id: fields['id']!, data: JSON.parse(fields['data']!) });
      // Leaving the loop ends the request.
      if (events.length === enough) return events;
    }
  }
  return events;
}

/** Page by page, as a client reads it. */
async function wholeLog(id: string): Promise<{ lines: string[] }> {
  const lines: string[] = [];
  for (let after = 0; ;) {
    const { body } = await api.get(`/v1/runs/${id}/log?after=${after}`);
    lines.push(...body.lines);
    if (body.lines.length < 1000) return { lines };
    after = body.next;
  }
}

describe('the log', () => {
  it('has standard error line by line, and standard output that is not the result', async () => {
    const script = await python(
      api,
      'import sys\nprint("first")\nprint("on stderr", file=sys.stderr)\nprint("second")\nprint("{\\"result\\": true}")',
    );
    const { body } = await run(api, script);
    expect(body.output).toEqual({ result: true });
    const { lines, next } = (await api.get(`/v1/runs/${body.id}/log`)).body;
    expect([...lines].sort()).toEqual(['first', 'on stderr', 'second']);
    expect(next).toBe(3);
    expect(body.logLines).toBe(3);
  });

  it('is read in pieces', async () => {
    const script = await python(api, 'import sys\nfor n in range(2500): print(n, file=sys.stderr)');
    const { body } = await run(api, script);
    expect(body.logLines).toBe(2500);
    const first = (await api.get(`/v1/runs/${body.id}/log`)).body;
    expect(first.lines).toHaveLength(1000);
    const rest = (await api.get(`/v1/runs/${body.id}/log?after=2400&limit=50`)).body;
    expect(rest.lines).toEqual(Array.from({ length: 50 }, (_, index) => String(2400 + index)));
    expect(rest.next).toBe(2450);
    expect((await api.get(`/v1/runs/${body.id}/log?after=9999`)).body).toEqual({ lines: [], next: 9999 });
    expect((await api.get(`/v1/runs/${body.id}/log?limit=1001`)).status).toBe(400);
    const farthest = (await api.get(`/v1/runs/${body.id}/log?after=2147483647&limit=1000`)).body;
    expect(farthest).toEqual({ lines: [], next: 2_147_483_647 });
    expect((await api.get(`/v1/runs/${body.id}/log?after=-1`)).status).toBe(400);
  });

  it('keeps the first 2,000 lines and the last 8,000, with the traceback, and says between them what was dropped', async () => {
    const { body } = await run(
      api,
      await python(
        api,
        'import sys\nfor n in range(19990): print(n, file=sys.stderr)\nraise ValueError("the reason")',
      ),
    );
    expect(body).toMatchObject({ status: 'failed', error: 'exit code 1: ValueError: the reason' });
    const total = body.logLines as number;
    expect(total).toBeGreaterThan(19_990);
    const { lines } = await wholeLog(body.id);
    expect(lines).toHaveLength(10_001);
    expect(lines.slice(0, 2000)).toEqual(Array.from({ length: 2000 }, (_, n) => String(n)));
    expect(lines[2000]).toMatch(
      new RegExp(`^\\[${(total - 10_000).toLocaleString('en-US')} lines were dropped`),
    );
    expect(lines[2001]).toBe(String(total - 8000));
    expect(lines.at(-1)).toBe('ValueError: the reason');
  });

  it('goes on behind what was dropped, wherever a page begins', async () => {
    const script = await python(api, 'import sys\nfor n in range(15000): print(n, file=sys.stderr)');
    const { id } = (await run(api, script)).body;
    const page = async (after: number, limit: number) =>
      (await api.get(`/v1/runs/${id}/log?after=${after}&limit=${limit}`)).body;
    expect(await page(1999, 3)).toEqual({
      lines: ['1999', expect.stringMatching(/^\[5,000 lines were dropped/), '7000'],
      next: 7001,
    });
    expect(await page(1999, 2)).toMatchObject({ next: 7000 });
    expect(await page(3000, 1)).toEqual({ lines: [expect.stringMatching(/^\[4,000 lines/)], next: 7000 });
    expect(await page(7000, 1)).toEqual({ lines: ['7000'], next: 7001 });
    expect(await page(14_999, 5)).toEqual({ lines: ['14999'], next: 15_000 });
    const events = await follow(id, { from: '6990', enough: 3 });
    expect(events.map(({ event, id, data }) => [event, id, data['line']])).toEqual([
      ['log', '7000', expect.stringMatching(/^\[10 lines were dropped/)],
      ['log', '7001', '7000'],
      ['log', '7002', '7001'],
    ]);
  });

  it('keeps 4 MiB of long lines, most of it from the end', async () => {
    const script = await python(
      api,
      'import sys\nfor n in range(3000): print(str(n).ljust(4000, "."), file=sys.stderr)',
    );
    const { id, logLines } = (await run(api, script)).body;
    expect(logLines).toBe(3000);
    const { lines } = await wholeLog(id);
    const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line), 0);
    expect(bytes).toBeLessThanOrEqual(4 * 1024 * 1024 + 200);
    expect(bytes).toBeGreaterThan(4_180_000);
    const gap = lines.findIndex((line) => line.includes('were dropped'));
    expect(gap).toBeGreaterThan(200);
    expect(gap).toBeLessThan(lines.length / 2);
    expect(lines.at(-1)).toMatch(/^2999\.+$/);
  });

  it('says when each line was printed, for whoever asks', async () => {
    const { id, executionStartedAt, finishedAt } = (
      await run(
        api,
        await python(
          api,
          'import sys, time\nfor n in range(3):\n  print(n, file=sys.stderr, flush=True)\n  time.sleep(1)',
        ),
      )
    ).body;
    const { lines, times } = (await api.get(`/v1/runs/${id}/log?times=true`)).body;
    expect(lines).toEqual(['0', '1', '2']);
    expect([executionStartedAt, ...times, finishedAt]).toEqual(
      [executionStartedAt, ...times, finishedAt].toSorted(),
    );
    // What is stored at once has one.
    expect(new Set(times).size).toBeGreaterThan(1);
    expect((await api.get(`/v1/runs/${id}/log`)).body).toEqual({ lines, next: 3 });
    const searched = await api.get(`/v1/runs/${id}/log?times=true&q=1`);
    expect(searched.body).toEqual({ lines: ['1'], times: [times[1]], numbers: [1], next: 3 });
    expect((await api.get(`/v1/runs/${id}/log?times=yes`)).status).toBe(400);
  });

  it('keeps times where a part of what was written at once is dropped', async () => {
    const script = await python(api, 'import sys\nfor n in range(15000): print(n, file=sys.stderr)');
    const { id } = (await run(api, script)).body;
    const { lines, times } = (await api.get(`/v1/runs/${id}/log?times=true&after=1999&limit=3`)).body;
    expect(lines).toEqual(['1999', expect.stringMatching(/dropped/), '7000']);
    expect(times).toEqual([expect.any(String), null, expect.any(String)]);
  });

  it('keeps out what its output is to be shown as, of which the last counts', async () => {
    const script = await python(
      api,
      'import sys\nfor line in ["::view table", "::view pie", "::view chart"]: print(line, file=sys.stderr)\nprint("[1, 2]")',
    );
    const { body } = await run(api, script);
    expect(body).toMatchObject({ outputView: 'chart', output: [1, 2], logLines: 1 });
    expect((await api.get(`/v1/runs/${body.id}/log`)).body.lines).toEqual(['::view pie']);
    const { items } = (await api.get(`/v1/runs?script=${script.slug}`)).body;
    expect(items[0].outputView).toBe('chart');
  });

  it('keeps progress reports out, but nonsense in', async () => {
    const script = await python(
      api,
      'import sys\nfor line in ["::progress 0.25 a quarter", "::progress 2", "::progress soon"]: print(line, file=sys.stderr)',
    );
    const { body } = await run(api, script);
    expect(body).toMatchObject({ progress: 0.25, progressMessage: 'a quarter', logLines: 2 });
  });
});

describe('the stream', () => {
  it('follows a run while it goes, and ends with its status', async () => {
    const script = await python(
      api,
      'import sys, time\nfor n in range(3):\n  print("line", n, file=sys.stderr, flush=True)\n  print("::progress", n / 4, file=sys.stderr, flush=True)\n  time.sleep(0.6)\nsys.exit(2)',
      { timeout: 60 },
    );
    const { body } = await run(api, script);
    const events = await follow(body.id);
    const lines = events.filter(({ event }) => event === 'log');
    expect(lines.map(({ id, data }) => [id, data])).toEqual([
      ['1', { line: 'line 0' }],
      ['2', { line: 'line 1' }],
      ['3', { line: 'line 2' }],
    ]);
    // Of those that come while others are read, the last is told.
    expect(events.findLast(({ event }) => event === 'progress')!.data['progress']).toBe(0.5);
    expect(events.at(-1)).toMatchObject({
      event: 'end',
      data: { status: 'failed', error: 'exit code 2: line 2' },
    });
  });

  it('shows a line while the script goes on', async () => {
    const script = await python(
      api,
      'import sys, time\nprint(time.time(), file=sys.stderr, flush=True)\ntime.sleep(60)',
      { timeout: 60 },
    );
    const { body } = await run(api, script);
    const [line] = await follow(body.id, { enough: 1 });
    expect(line!.data['line']).toMatch(/^\d+\.\d+$/);
    expect((await api.get(`/v1/runs/${body.id}`)).body.phase).toBe('executing');
    await api.post(`/v1/runs/${body.id}/cancel`);
    await runUntil(api, body.id, finished);
  });

  it('shows each line once and in order while more is printed than is kept', async () => {
    const script = await python(
      api,
      'import sys, time\nfor n in range(40):\n  for m in range(1000): print(n * 1000 + m, file=sys.stderr)\n  time.sleep(0.1)',
      { timeout: 60 },
    );
    const { body } = await run(api, script);
    const lines = (await follow(body.id)).filter(({ event }) => event === 'log');
    let expected = 0;
    for (const { id, data } of lines) {
      const line = String(data['line']);
      const dropped = /^\[([\d,]+) lines were dropped/.exec(line)?.[1];
      if (dropped === undefined) expect([id, line]).toEqual([String(expected + 1), String(expected)]);
      expected += dropped === undefined ? 1 : Number(dropped.replaceAll(',', ''));
      expect(id).toBe(String(expected));
    }
    expect(expected).toBe(40_000);
    expect(lines.length).toBeGreaterThan(10_001);
    const { lines: kept } = await wholeLog(body.id);
    expect(kept).toHaveLength(10_001);
    expect(kept.slice(2001)).toEqual(Array.from({ length: 8000 }, (_, n) => String(32_000 + n)));
  });

  it('puts lines together for whoever asks, and is resumed then, too', async () => {
    const { body } = await run(
      api,
      await python(api, 'import sys\nfor n in range(2500): print(n, file=sys.stderr)'),
    );
    for (const from of ['0', '1234']) {
      const events = (await follow(body.id, { from, batch: true })).filter(({ event }) => event === 'lines');
      expect(events.length).toBeLessThan(50);
      const lines = events.flatMap(({ data }) => {
        expect(data['at']).toEqual(expect.any(String));
        return (data['lines'] as string[]).map((line, place) => [Number(data['first']) + place, line]);
      });
      expect(lines).toEqual(
        Array.from({ length: 2500 - Number(from) }, (_, n) => [Number(from) + n, String(Number(from) + n)]),
      );
      expect(events.at(-1)!.id).toBe('2500');
    }
    expect((await api.get(`/v1/runs/${body.id}/log/stream?batch=yes`)).status).toBe(400);
  });

  it('says when the run begins', async () => {
    const { body } = await run(api, await python(api, 'import time\ntime.sleep(10)', { timeout: 60 }));
    const events = await follow(body.id, { phases: true });
    const phases = events.filter(({ event }) => event === 'phase').map(({ data }) => data['phase']);
    expect(phases.at(-1)).toBe('executing');
    expect(new Set(phases).size).toBe(phases.length);
  });

  it('is resumed by Last-Event-ID', async () => {
    const { body } = await run(
      api,
      await python(api, 'import sys\nfor n in range(5): print(n, file=sys.stderr)'),
    );
    const events = await follow(body.id, { from: '3' });
    expect(events.map(({ event, id }) => [event, id])).toEqual([
      ['log', '4'],
      ['log', '5'],
      ['end', '5'],
    ]);
    const refused = await api.get(`/v1/runs/${body.id}/log/stream`, { 'last-event-id': 'x' });
    expect(refused.status).toBe(400);
  });
});

import { beforeAll, describe, expect, it } from 'vitest';

import type { Client, Json, TestWorkspace } from '../../libs/testing/index.js';
import { baseUrl, client, database, newWorkspace } from '../support/gatehouse.js';
import { finished, python, run, runUntil } from '../support/scripts.js';

let workspace: TestWorkspace;
let api: Client;

beforeAll(async () => {
  workspace = await newWorkspace();
  api = client({ token: workspace.owner.token, workspace: workspace.slug });
});

const LINES = 100_000;
const lineOf = (number: number): string => `line ${number} of many${number === 50_000 ? ' NEEDLE' : ''}`;
const PRINTS = `
import sys
for n in range(${LINES}): print("line", n, "of many" + (" NEEDLE" if n == 50000 else ""), file=sys.stderr)
`;

async function download(id: string, query = '', headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${baseUrl()}/v1/runs/${id}/log/content${query}`, {
    headers: { authorization: `Bearer ${workspace.owner.token}`, 'x-workspace': workspace.slug, ...headers },
  });
}
const textOf = async (id: string, query = ''): Promise<string> => (await download(id, query)).text();
const partsOf = async (id: string): Promise<{ first_line: number; blob_key: string; size: string }[]> =>
  (await database().query('SELECT * FROM run_log_parts WHERE run_id = $1 ORDER BY first_line', [id])).rows;
const storedBytes = async (): Promise<number> => {
  const { body } = await api.get('/v1/workspace/usage');
  return (body.meters as Json[]).find(({ id }) => id === 'storage_bytes')!.used as number;
};
const ended = async (source: string, fields: Json = {}): Promise<Json> => {
  const { body } = await run(api, await python(api, source, { timeout: 60, ...fields }));
  return runUntil(api, body.id as string, finished);
};

describe('a log that is longer than the database keeps', () => {
  let long: Json;
  let before: number;
  const expected = Array.from({ length: LINES }, (_, number) => `${lineOf(number)}\n`).join('');

  beforeAll(async () => {
    before = await storedBytes();
    long = await ended(PRINTS);
  });

  it('is whole as one download, named after the run', async () => {
    const response = await download(long.id);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-length': String(expected.length),
      'content-disposition': expect.stringContaining(`${long.id}.log`),
      'x-content-type-options': 'nosniff',
    });
    expect((await response.text()) === expected).toBe(true);
    expect(long).toMatchObject({ logLines: LINES, wholeLog: { bytes: expected.length, missingLines: 0 } });
  });

  it('is read in ranges, across the places where its lines lie', async () => {
    const part = (await partsOf(long.id))[0]!;
    const at = expected.indexOf(`${lineOf(part.first_line)}\n`);
    for (const [start, end] of [
      [0, 9],
      [at - 5, at + 5],
      [at - 10_000, at + 40_000],
      [expected.length - 100, expected.length - 1],
    ] as const) {
      const response = await download(long.id, '', { range: `bytes=${start}-${end}` });
      expect(response.status).toBe(206);
      expect(await response.text()).toBe(expected.slice(start, end + 1));
    }
    expect((await download(long.id, '', { range: `bytes=${expected.length}-` })).status).toBe(416);
    const tag = (await download(long.id)).headers.get('etag')!;
    expect((await download(long.id, '', { 'if-none-match': tag })).status).toBe(304);
  });

  it('is searched, whole', async () => {
    const search = async (query: string) => (await api.get(`/v1/runs/${long.id}/log?${query}`)).body;
    expect(await search('q=needle')).toEqual({ lines: [lineOf(50_000)], numbers: [50_000], next: LINES });
    const found: number[] = [];
    for (let after = 0, full = true; full;) {
      const { numbers, next } = await search(`q=line%205&after=${after}`);
      found.push(...numbers);
      after = next;
      full = numbers.length === 1000;
    }
    expect(found).toHaveLength(1 + 10 + 100 + 1000 + 10_000);
    expect(found.every((number) => String(number).startsWith('5'))).toBe(true);
    expect(new Set(found).size).toBe(found.length);
    expect(await search('q=nowhere')).toEqual({ lines: [], numbers: [], next: LINES });
  });

  it('says where lines were dropped that it has them', async () => {
    const { lines } = (await api.get(`/v1/runs/${long.id}/log?after=1999&limit=2`)).body;
    expect(lines[1]).toMatch(/^\[90,000 lines were dropped here: .*; the whole log has them\]$/);
  });

  it('counts as files do, and goes with its run', async () => {
    const parts = await partsOf(long.id);
    const bytes = parts.reduce((sum, { size }) => sum + Number(size), 0);
    expect((await storedBytes()) - before).toBe(bytes);
    const keys = parts.map(({ blob_key }) => blob_key);
    await database().query('DELETE FROM runs WHERE id = $1', [long.id]);
    expect(await storedBytes()).toBe(before);
    await database().query('UPDATE file_blobs SET check_at = now() WHERE key = ANY($1)', [keys]);
    const left = async () =>
      (await database().query('SELECT FROM file_blobs WHERE key = ANY($1)', [keys])).rowCount;
    await expect.poll(left, { timeout: 130_000, interval: 1000 }).toBe(0);
  }, 150_000);
});

describe('a log that the database keeps whole', () => {
  it('is downloaded too, and costs the file store nothing', async () => {
    const before = await storedBytes();
    const short = await ended('import sys\nfor n in range(9000): print("é", n, file=sys.stderr)');
    expect(short.wholeLog).toBeNull();
    expect(await partsOf(short.id)).toEqual([]);
    expect(await storedBytes()).toBe(before);
    const expected = Array.from({ length: 9000 }, (_, number) => `é ${number}\n`).join('');
    expect((await textOf(short.id)) === expected).toBe(true);
    const bytes = Buffer.from(expected).subarray(11, 30_000);
    const range = await download(short.id, '', { range: 'bytes=11-29999' });
    expect(Buffer.from(await range.arrayBuffer()).equals(bytes)).toBe(true);
    const none = await ended('pass');
    expect([await textOf(none.id), none.wholeLog]).toEqual(['', null]);
  });
});

describe('the attempts of a run', () => {
  it('each have a whole log of their own', async () => {
    const run = await ended(
      `
import os, sys
attempt = os.environ["GATEHOUSE_ATTEMPT"]
for n in range(20000): print("attempt", attempt, n, file=sys.stderr)
sys.exit(75 if attempt == "1" else 0)
`,
      { retry: { attempts: 2, delay: 0, on: ['exit:75'] } },
    );
    const linesOf = (attempt: number): string =>
      Array.from({ length: 20_000 }, (_, number) => `attempt ${attempt} ${number}\n`).join('');
    expect((await textOf(run.id, '?attempt=1')) === linesOf(1)).toBe(true);
    expect((await textOf(run.id, '?attempt=2')) === linesOf(2)).toBe(true);
    expect((await textOf(run.id)) === linesOf(1) + linesOf(2)).toBe(true);
    expect(await textOf(run.id, '?attempt=3')).toBe('');
    expect((await api.get(`/v1/runs/${run.id}/log/content?attempt=0`)).status).toBe(400);
    const found = (await api.get(`/v1/runs/${run.id}/log?q=%2010000&attempt=2`)).body;
    expect(found).toMatchObject({ lines: ['attempt 2 10000'], numbers: [30_000], next: 40_000 });
  });
});

describe('a run that goes on', () => {
  it('has what there is of its log so far, also while lines move', async () => {
    const script = await python(
      api,
      `
import sys, time
for n in range(60):
  for m in range(1000): print(n * 1000 + m, "x" * 100, file=sys.stderr)
  time.sleep(0.1)
`,
      { timeout: 60 },
    );
    const { body } = await run(api, script);
    await runUntil(api, body.id, ({ logLines }) => logLines > 20_000);
    let next = 0;
    for (const line of (await textOf(body.id)).trimEnd().split('\n')) {
      // What has not been written anywhere yet.
      const missing = /^\[([\d,]+) lines? (?:is|are) missing here: /.exec(line)?.[1];
      if (missing === undefined) expect(Number.parseInt(line, 10)).toBe(next);
      next += missing === undefined ? 1 : Number(missing.replaceAll(',', ''));
    }
    expect(next).toBeGreaterThan(20_000);
    await runUntil(api, body.id, finished);
    expect((await textOf(body.id)).trimEnd().split('\n')).toHaveLength(60_000);
  });
});

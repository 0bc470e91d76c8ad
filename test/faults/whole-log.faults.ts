import { rename } from 'node:fs/promises';
import { join } from 'node:path';

import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Client, Json } from '../../libs/testing/index.js';
import { finished, python, run, runUntil } from '../support/scripts.js';
import { Workerless } from './support/workerless.js';

let house: Workerless;
let pool: pg.Pool;
let there: Client;

beforeAll(async () => {
  house = await Workerless.start();
  pool = house.pool;
  there = house.as();
});
afterAll(() => house?.stop());

/** Prints faster than a log keeps, a part each half second or so. */
const PRINTS = `
import sys, time
for n in range(2000):
  for m in range(200): print(n * 200 + m, "x" * 1000, file=sys.stderr)
  time.sleep(0.02)
`;
const linesOf = async (id: string): Promise<string[]> =>
  (await there.get(`/v1/runs/${id}/log/content`)).text.trimEnd().split('\n');
const partsOf = async (id: string): Promise<number> =>
  (await pool.query('SELECT FROM run_log_parts WHERE run_id = $1', [id])).rowCount ?? 0;
const begun = async (fields: Json = {}): Promise<string> => {
  const { body } = await run(there, await python(there, PRINTS, { timeout: 600, ...fields }));
  return body.id as string;
};
/** Of each line its number; of what stands for missing ones, how many these are. */
function numbersIn(lines: string[]): { numbers: number[]; missing: number } {
  const missing = lines.flatMap((line) => {
    const [, count] = /^\[([\d,]+) lines? (?:is|are) missing here: /.exec(line) ?? [];
    return count === undefined ? [] : [Number(count.replaceAll(',', ''))];
  });
  const numbers = lines.filter((line) => !line.startsWith('[')).map((line) => Number.parseInt(line, 10));
  return { numbers, missing: missing.reduce((sum, count) => sum + count, 0) };
}

describe('a worker that is killed while it stores a log', () => {
  it('leaves all that was written, each line once and in order, and says what is missing', async () => {
    const doomed = await house.worker();
    const id = await begun();
    await expect.poll(() => partsOf(id)).toBeGreaterThan(2);
    await doomed.kill();
    const other = await house.worker();
    try {
      const lost = await runUntil(there, id, finished, 90_000);
      expect(lost).toMatchObject({ status: 'failed', error: 'the worker running this was lost' });
      const lines = await linesOf(id);
      const { numbers, missing } = numbersIn(lines);
      expect(numbers).toEqual([...numbers].sort((one, next) => one - next));
      expect(new Set(numbers).size).toBe(numbers.length);
      expect(numbers.length + missing).toBe(lost.logLines);
      expect(missing).toBe(lost.wholeLog.missingLines);
      expect(Buffer.byteLength(`${lines.join('\n')}\n`)).toBe(lost.wholeLog.bytes);
    } finally {
      await other.stop();
    }
  }, 240_000);

  it('has the next attempt go on behind all of it', async () => {
    const doomed = await house.worker();
    const id = await begun({ idempotent: true, retry: { attempts: 2, delay: 0, on: ['lost'] } });
    await expect.poll(() => partsOf(id)).toBeGreaterThan(0);
    await doomed.kill();
    const other = await house.worker();
    try {
      const again = await runUntil(
        there,
        id,
        ({ attempt, logLines, attempts }) => {
          return attempt === 2 && logLines > attempts[0].logLines + 12_000;
        },
        90_000,
      );
      const first = again.attempts[0].logLines as number;
      await there.post(`/v1/runs/${id}/cancel`);
      await runUntil(there, id, finished);
      for (const attempt of [1, 2]) {
        const { text } = await there.get(`/v1/runs/${id}/log/content?attempt=${attempt}`);
        const { numbers, missing } = numbersIn(text.trimEnd().split('\n'));
        expect(numbers).toEqual([...new Set(numbers)].sort((one, next) => one - next));
        expect(numbers[0]).toBe(0);
        if (attempt === 1) expect(numbers.length + missing).toBe(first);
        else expect(numbers.length + missing).toBeGreaterThan(12_000);
      }
    } finally {
      await other.stop();
    }
  }, 240_000);

  it('leaves no bytes for ever that nothing refers to', async () => {
    const doomed = await house.worker();
    const id = await begun();
    await expect.poll(() => partsOf(id)).toBeGreaterThan(0);
    await doomed.kill();
    const other = await house.worker();
    await pool.query(`INSERT INTO file_blobs (key, check_at) VALUES ('files/without-its-row', now())`);
    // What was stored without its row is looked at after a day. That day is over.
    await pool.query('UPDATE file_blobs SET check_at = now()');
    const orphans = async (): Promise<number | null> =>
      (
        await pool.query(
          `SELECT FROM file_blobs b WHERE NOT EXISTS (SELECT FROM run_log_parts p WHERE p.blob_key = b.key)
             AND NOT EXISTS (SELECT FROM files f WHERE f.blob_key = b.key)`,
        )
      ).rowCount;
    try {
      await expect.poll(orphans, { timeout: 150_000, interval: 1000 }).toBe(0);
      expect(await partsOf(id)).toBeGreaterThan(0);
      expect((await linesOf(id)).length).toBeGreaterThan(4000);
    } finally {
      await other.stop();
    }
  }, 240_000);
});

describe('a workspace that may keep no more', () => {
  it('has the run go on, whose log says what is missing', async () => {
    const plans = { default: { limits: { storage_bytes: 1_000_000 } } };
    const worker = await house.worker({ GATEHOUSE_PLANS: JSON.stringify(plans) });
    try {
      const code = PRINTS.replace('range(2000)', 'range(100)');
      const { body } = await run(there, await python(there, code, { timeout: 600 }));
      const end = await runUntil(there, body.id, finished, 90_000);
      const { numbers, missing } = numbersIn(await linesOf(body.id));
      expect(end).toMatchObject({ status: 'succeeded', logLines: 20_000, wholeLog: null });
      expect([await partsOf(body.id), numbers.length + missing]).toEqual([0, 20_000]);
    } finally {
      await worker.stop();
    }
  }, 180_000);
});

describe('a file store that is away', () => {
  it('lets the run go on, whose log says what is missing', async () => {
    const worker = await house.worker();
    const files = join(house.api.dataDirectory, 'files');
    try {
      // So slowly that the store is away while it prints.
      const code = PRINTS.replace('range(2000)', 'range(150)').replace('0.02', '0.1');
      const { body } = await run(there, await python(there, code, { timeout: 600 }));
      await expect.poll(() => partsOf(body.id)).toBeGreaterThan(0);
      await rename(files, `${files}-away`);
      await runUntil(there, body.id, ({ logLines }) => logLines > 24_000);
      await rename(`${files}-away`, files);
      const end = await runUntil(there, body.id, finished, 90_000);
      expect(end).toMatchObject({ status: 'succeeded', logLines: 30_000 });
      const { numbers, missing } = numbersIn(await linesOf(body.id));
      expect(missing).toBeGreaterThan(0);
      expect(numbers.length + missing).toBe(30_000);
      expect(end.wholeLog.missingLines).toBe(missing);
      expect(numbers.at(-1)).toBe(29_999);
    } finally {
      await worker.stop();
    }
  }, 240_000);
});

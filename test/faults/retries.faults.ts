import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Client } from '../../libs/testing/index.js';
import { finished, python, run, runUntil } from '../support/scripts.js';
import { Workerless } from './support/workerless.js';

let house: Workerless;
let pool: pg.Pool;
let there: Client;

const worker = () => house.worker();

beforeAll(async () => {
  house = await Workerless.start();
  pool = house.pool;
  there = house.as();
});
afterAll(() => house?.stop());

/** Sleeps for long in its first attempt, and says which attempt each line is of. */
const SLOW_AT_FIRST = `
import os, sys, time
attempt = os.environ["GATEHOUSE_ATTEMPT"]
print("began " + attempt, file=sys.stderr, flush=True)
if attempt == "1": time.sleep(300)
`;
const FAILS_AT_FIRST = `
import os, sys
attempt = os.environ["GATEHOUSE_ATTEMPT"]
print("began " + attempt, file=sys.stderr, flush=True)
sys.exit(75 if attempt == "1" else 0)
`;

const eventsOf = async (id: string): Promise<string[]> => {
  const { rows } = await pool.query(
    `SELECT type FROM events WHERE data->>'runId' = $1 AND type LIKE 'run.%' ORDER BY id`,
    [id],
  );
  return rows.map(({ type }) => type as string);
};

describe('a worker that is killed', () => {
  it('between two attempts takes nothing along: the next one is made elsewhere, once', async () => {
    const doomed = await worker();
    const retry = { attempts: 3, delay: 600, on: ['exit:75'] };
    const script = await python(there, FAILS_AT_FIRST, { retry, timeout: 60 });
    const { body } = await run(there, script);
    await runUntil(there, body.id, ({ phase }) => phase === 'retrying');
    await doomed.kill();
    // Due while there is no worker: any process queues it.
    await pool.query('UPDATE runs SET next_attempt_at = now() WHERE id = $1', [body.id]);
    await runUntil(there, body.id, ({ phase }) => phase === 'queued');
    const other = await worker();
    try {
      expect(await runUntil(there, body.id, finished, 60_000)).toMatchObject({
        status: 'succeeded',
        attempts: [{ attempt: 1 }, { attempt: 2, error: null }],
      });
      const { lines } = (await there.get(`/v1/runs/${body.id}/log`)).body;
      expect(lines).toEqual(['began 1', 'began 2']);
      expect(await eventsOf(body.id)).toEqual(['run.started', 'run.retrying', 'run.succeeded']);
    } finally {
      await other.stop();
    }
  });

  it('during one has it tried again only where its version says that this does no harm', async () => {
    const doomed = await worker();
    const on = ['failed', 'timed_out', 'exit:75'];
    const fields = (extra: object) => ({ timeout: 600, ...extra });
    const careful = await python(there, SLOW_AT_FIRST, fields({ retry: { attempts: 3, delay: 0, on } }));
    const retry = { attempts: 3, delay: 0, on: [...on, 'lost'] };
    const idempotent = await python(there, SLOW_AT_FIRST, fields({ idempotent: true, retry }));
    const ids = [];
    for (const script of [careful, idempotent]) {
      const { body } = await run(there, script);
      await runUntil(there, body.id, ({ logLines }) => logLines > 0);
      ids.push(body.id as string);
    }
    await doomed.kill();
    const other = await worker();
    try {
      const [lost, again] = await Promise.all(ids.map((id) => runUntil(there, id, finished, 90_000)));
      const error = 'the worker running this was lost';
      expect(lost).toMatchObject({ status: 'failed', error, attempt: 1, logLines: 1 });
      expect(again).toMatchObject({
        status: 'succeeded',
        attempts: [
          { attempt: 1, error },
          { attempt: 2, error: null },
        ],
      });
      expect((await there.get(`/v1/runs/${ids[1]}/log`)).body.lines).toEqual(['began 1', 'began 2']);
      expect(await eventsOf(ids[0]!)).toEqual(['run.started', 'run.failed']);
      expect(await eventsOf(ids[1]!)).toEqual(['run.started', 'run.retrying', 'run.succeeded']);
    } finally {
      await other.stop();
    }
  }, 300_000);
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Client, GatehouseProcess } from '../../libs/testing/index.js';
import { finished, python, run, runUntil } from '../support/scripts.js';
import { Workerless } from './support/workerless.js';

let house: Workerless;
let there: Client;
let untagged: GatehouseProcess;

beforeAll(async () => {
  house = await Workerless.start();
  there = house.as();
  untagged = await house.worker();
});
afterAll(async () => {
  await untagged?.stop();
  await house?.stop();
});

const tagged = (tags: string) => house.worker({ GATEHOUSE_WORKER_TAGS: tags });

/** Which workers have had the run, by the tags that they carry. */
const tagsOfWorker = async (id: string): Promise<string[] | null | undefined> => {
  const { rows } = await house.pool.query<{ tags: string[] | null }>(
    `SELECT i.tags FROM runs r JOIN instances i ON i.id = r.worker_id WHERE r.id = $1`,
    [id],
  );
  return rows[0]?.tags;
};
const eventsOf = async (id: string): Promise<string[]> => {
  const { rows } = await house.pool.query<{ type: string }>(
    `SELECT type FROM events WHERE data->>'runId' = $1 AND type LIKE 'run.%' ORDER BY id`,
    [id],
  );
  return rows.map(({ type }) => type);
};
const unplaceable = async (): Promise<number> => {
  const { rows } = await house.pool.query(
    `SELECT FROM runs WHERE phase = 'queued' AND unplaceable_since IS NOT NULL`,
  );
  return rows.length;
};

const SLOW_AT_FIRST = `
import os, sys, time
attempt = os.environ["GATEHOUSE_ATTEMPT"]
print("began " + attempt, file=sys.stderr, flush=True)
if attempt == "1": time.sleep(300)
`;

describe('a run that asks for tags', () => {
  it('is taken by a worker with all of them as soon as there is one, and by no other', async () => {
    const script = await python(there, 'print(1)', { runsOn: ['eu-vpc', 'gpu'] });
    const { body } = await run(there, script);
    await expect.poll(() => eventsOf(body.id)).toEqual(['run.started', 'run.unplaceable']);
    const some = await tagged('eu-vpc');
    try {
      const usual = await run(there, await python(there, 'print(2)', { runsOn: ['eu-vpc'] }));
      expect(usual.body).toMatchObject({ status: 'succeeded', output: 2 });
      expect((await there.get(`/v1/runs/${body.id}`)).body.phase).toBe('queued');
      const all = await tagged('gpu,eu-vpc, ssd');
      try {
        expect(await runUntil(there, body.id, finished)).toMatchObject({ status: 'succeeded', output: 1 });
        expect(await eventsOf(body.id)).toEqual(['run.started', 'run.unplaceable', 'run.succeeded']);
      } finally {
        await all.stop();
      }
    } finally {
      await some.stop();
    }
  });

  it('goes to no other worker either when the one that had it is killed', async () => {
    const doomed = await tagged('eu-vpc');
    const retry = { attempts: 2, delay: 0, on: ['lost'] };
    const fields = { runsOn: ['eu-vpc'], idempotent: true, retry, timeout: 600 };
    const { body } = await run(there, await python(there, SLOW_AT_FIRST, fields));
    await runUntil(there, body.id, ({ logLines }) => logLines > 0);
    expect(await tagsOfWorker(body.id)).toEqual(['eu-vpc']);
    await doomed.kill();
    // Once its lease is over it is queued again, and once its worker is known to be dead nobody can take it.
    await expect.poll(unplaceable, { timeout: 120_000 }).toBe(1);
    expect(await there.get(`/v1/runs/${body.id}`)).toMatchObject({
      body: { waitsBecause: 'No worker that is running carries the tag “eu-vpc”. It begins once one does.' },
    });
    const other = await tagged('eu-vpc');
    try {
      const ended = await runUntil(there, body.id, finished, 90_000);
      expect(ended).toMatchObject({ status: 'succeeded', attempt: 2 });
      expect(await eventsOf(body.id)).toEqual([
        'run.started',
        'run.retrying',
        'run.unplaceable',
        'run.succeeded',
      ]);
      expect(await unplaceable()).toBe(0);
    } finally {
      await other.stop();
    }
  }, 300_000);

  it('is known not to be taken any more as soon as the last such worker is told to stop', async () => {
    const all = await house.worker({ GATEHOUSE_WORKER_TAGS: 'eu-vpc' });
    const script = await python(there, 'print(1)', { runsOn: ['eu-vpc'] });
    expect((await run(there, script)).body).toMatchObject({ status: 'succeeded' });
    await all.stop();
    const { body } = await run(there, script);
    await expect.poll(() => eventsOf(body.id)).toEqual(['run.started', 'run.unplaceable']);
    await there.post(`/v1/runs/${body.id}/cancel`);
  });
});

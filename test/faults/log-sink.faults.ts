import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { SyslogServer } from '../support/syslog-server.js';
import { House } from './support/house.js';

/** The lease of a process that was killed ends first. */
const GOES_ON_WITHIN_MS = 90_000;
const BATCH = 50;
/** Ids that the service does not make: theirs begin with the time. */
const OURS = 'aud_00';

let server: SyslogServer;
let house: House;

beforeAll(async () => {
  server = await SyslogServer.start();
  house = await House.start({ GATEHOUSE_LOG_SINK: server.url }, ['all']);
});

afterAll(async () => {
  await house?.stop();
  await server?.stop();
});

/** Entries of the audit trail that are written past the service, whether or not it lives. */
async function addBatch(batch: number): Promise<void> {
  await house.pool.query(
    `INSERT INTO audit_events (id, workspace_id, action, actor_type)
     SELECT '${OURS}' || lpad($2::text, 4, '0') || lpad(n::text, 4, '0'), 'wks_x', 'run.started', 'system'
     FROM generate_series(1, $1::int) AS n`,
    [BATCH, batch],
  );
}

it('sends each entry at least once and with one number, however often the process that sends is killed', async () => {
  const arrived = (): number =>
    new Set(server.entries.map(({ id }) => id).filter((id) => id.startsWith(OURS))).size;
  const count = async (table: string): Promise<number> =>
    Number((await house.pool.query(`SELECT count(*) FROM ${table}`)).rows[0].count);
  // Entries are collected from then on.
  await expect.poll(() => count('log_sinks'), { timeout: GOES_ON_WITHIN_MS }).toBe(1);
  let batches = 0;
  let isOver = false;
  const adding = (async () => {
    while (!isOver) {
      await addBatch(++batches);
      await sleep(2_000);
    }
  })();
  // It has taken some and not said so; it loses them; it works, and the process dies at whichever moment.
  try {
    for (const mode of ['silent', 'reset', 'take'] as const) {
      server.mode = mode;
      const before = server.received;
      await expect.poll(() => server.received, { timeout: GOES_ON_WITHIN_MS }).toBeGreaterThan(before);
      await house.kill('all');
      server.mode = 'take';
      const taken = arrived();
      await expect.poll(arrived, { timeout: GOES_ON_WITHIN_MS }).toBeGreaterThan(taken);
    }
  } finally {
    isOver = true;
    await adding;
  }
  await expect.poll(() => count('log_sink_entries'), { timeout: GOES_ON_WITHIN_MS }).toBe(0);

  expect(arrived()).toBe(batches * BATCH);
  const numbers = [...new Set(server.numbers)].sort((one, other) => one - other);
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  expect(new Set(server.entries.map(({ number, id }) => `${number} ${id}`)).size).toBe(numbers.length);
  expect(server.entries.length, 'some that were sent again').toBeGreaterThan(numbers.length);
}, 400_000);

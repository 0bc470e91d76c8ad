import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';

import {
  type Answer,
  type Client,
  type GatehouseProcess,
  Seed,
  createClient,
} from '../../libs/testing/index.js';
import { startGatehouse } from '../../libs/testing/index.js';
import { finished, python, run, runUntil } from '../support/scripts.js';

const WRITERS = 24;
const KILLS = 2;
/** Rounds in which every connection is ended, whatever it is doing. */
const ENDINGS = 40;

let gatehouse: GatehouseProcess;
let api: Client;
let databaseUrl: string;

beforeAll(async () => {
  gatehouse = await startGatehouse({ env: { GATEHOUSE_SIGNUP: 'open', GATEHOUSE_RATE_LIMIT: '0' } });
  const credentials = readFileSync(join(gatehouse.dataDirectory, 'postgres.json'), 'utf8');
  databaseUrl = (JSON.parse(credentials) as { url: string }).url;
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  const { owner, slug } = await new Seed(gatehouse.baseUrl, pool).workspace();
  await pool.end();
  api = createClient({ baseUrl: gatehouse.baseUrl, token: owner.token, workspace: slug });
});

afterAll(() => gatehouse.stop());

/** With what it printed last, where the process has ended. */
function expectAlive(): void {
  const { exitCode, signalCode } = gatehouse.process;
  expect([exitCode, signalCode], gatehouse.output().slice(-4_000)).toEqual([null, null]);
}

const isReady = async (): Promise<boolean> =>
  (await api.get('/health/ready').catch(() => null))?.status === 200;

async function endConnections(): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  for (let round = 0; round < ENDINGS; round++) {
    await client.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = current_user AND pid <> pg_backend_pid()',
    );
    await sleep(100);
  }
  await client.end();
}

function killPostgres(): void {
  const pidFile = join(gatehouse.dataDirectory, 'postgres', 'postmaster.pid');
  process.kill(Number(readFileSync(pidFile, 'utf8').split('\n')[0]), 'SIGKILL');
}

it('connections that end and kills of PostgreSQL under many writers end no process, cause no 500 and leave no key behind', async () => {
  const odd: string[] = [];
  const names: string[] = [];
  let writing = true;

  const judge = ({ status, headers, text }: Answer): void => {
    const fits = status < 500 || (status === 503 && Number(headers.get('retry-after')) > 0);
    if (!fits) odd.push(`${status} ${text}`);
  };
  /** The same write under one key until it gets a response. */
  const insist = async (name: string): Promise<void> => {
    const key = { 'idempotency-key': randomUUID() };
    for (;;) {
      const answer = await api.post('/v1/scripts', { slug: name, name }, key);
      judge(answer);
      if (answer.status === 201) return;
      const held = answer.status === 409 && answer.body.error.code === 'idempotency_in_progress';
      if (answer.status !== 503 && !held) throw new Error(`${name}: ${answer.text}`);
      await sleep(held ? 500 : 50);
    }
  };
  const write = async (writer: number): Promise<void> => {
    for (let count = 0; writing; count++) {
      const name = `w${writer}-${count}`;
      await insist(name);
      names.push(name);
    }
  };

  const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer));
  const all = Promise.all(writers);
  all.catch(() => undefined);
  await endConnections();
  expectAlive();
  for (let kill = 0; kill < KILLS; kill++) {
    await sleep(1_500);
    killPostgres();
    expectAlive();
    await expect.poll(isReady, { interval: 200 }).toBe(true);
  }
  writing = false;
  await all;
  expectAlive();
  expect(odd).toEqual([]);
  for (const name of names) expect((await api.get(`/v1/scripts/${name}`)).status).toBe(200);
}, 240_000);

it('a process listens by one connection for itself and one for all its queues, and again once both are ended', async () => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  const listening = async (): Promise<string[]> => {
    const sql = `SELECT application_name AS name FROM pg_stat_activity WHERE query ~ '(^|\\n)LISTEN ' ORDER BY 1`;
    return (await pool.query<{ name: string }>(sql)).rows.map(({ name }) => name);
  };
  const both = ['gatehouse', 'gatehouse-queue'];
  try {
    await expect.poll(listening).toEqual(both);
    await pool.query(
      `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE query ~ '(^|\\n)LISTEN '`,
    );
    await expect.poll(listening).toEqual(both);
    expectAlive();
  } finally {
    await pool.end();
  }
});

it('a run that is about to begin waits for a database that goes away just then', async () => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    // A sequence counts on where a transaction is taken back.
    await client.query(`
      CREATE SEQUENCE beginnings;
      CREATE FUNCTION refuse_twice() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('beginnings') <= 2 THEN RAISE 'terminating connection' USING ERRCODE = 'admin_shutdown'; END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER refuse BEFORE UPDATE OF phase ON runs FOR EACH ROW
        WHEN (OLD.phase = 'starting' AND NEW.phase = 'executing') EXECUTE FUNCTION refuse_twice()`);
    const begun = await run(api, await python(api, 'print(7)'));
    const ended = await runUntil(api, begun.body.id as string, finished);
    expect(ended).toMatchObject({ status: 'succeeded', output: 7, attempt: 1 });
    const { rows } = await client.query<{ times: string }>('SELECT last_value AS times FROM beginnings');
    expect(rows).toEqual([{ times: '3' }]);
  } finally {
    await client.query('DROP TRIGGER IF EXISTS refuse ON runs');
    await client.end();
  }
});

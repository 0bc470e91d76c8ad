import { rm } from 'node:fs/promises';

import pg from 'pg';
import { describe, expect, it } from 'vitest';

import { createClient } from '../../libs/testing/index.js';
import { patiently } from '../../src/core/database/patiently.js';
import { runStart } from '../support/admin.js';
import { inDatabase } from '../support/claiming.js';
import { copiedPlace, newDatabase, startGatehouse } from '../support/gatehouse.js';

/** A database that a service has made and left, and was changed since. */
async function changed(...statements: string[]): Promise<string> {
  const databaseUrl = await newDatabase();
  await (await startGatehouse({ env: { DATABASE_URL: databaseUrl } })).stop();
  await inDatabase(databaseUrl, ...statements);
  return databaseUrl;
}

/** What a start printed that was refused, without what came before. */
async function refusal(databaseUrl: string): Promise<string> {
  const started = startGatehouse({ env: { DATABASE_URL: databaseUrl } });
  const { message } = await started.then(
    () => new Error('it started'),
    (error: unknown) => error as Error,
  );
  return message;
}

describe('a start on a database that is not as it needs it', { timeout: 400_000 }, () => {
  it('names in one sentence what no migration adds, and what to do', async () => {
    const databaseUrl = await changed(
      'DROP TABLE lease_clock',
      'ALTER TABLE runs DROP COLUMN traceparent',
      'DROP INDEX runs_turns',
    );
    const said = await refusal(databaseUrl);
    expect(said).toContain(
      'it lacks lease_clock.at, lease_clock.seconds, runs.traceparent, runs_turns, which',
    );
    expect(said).toContain('set DATABASE_URL or GATEHOUSE_DATA to an empty one');
    expect(said).not.toMatch(/^\s+at |"stack"/m);
  });

  it('leaves a newer version’s database alone', async () => {
    const databaseUrl = await changed(
      `INSERT INTO migrations (timestamp, name) VALUES (1999000000000, 'Later1999000000000')`,
    );
    const { dataDirectory } = await copiedPlace();
    const { code, stderr } = await runStart({ GATEHOUSE_DATA: dataDirectory, DATABASE_URL: databaseUrl });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^The database is a newer Gatehouse's: .* its migration Later1999000000000\. .*\n$/,
    );
    await rm(dataDirectory, { recursive: true });
  });
});

describe('a migration of a table that is in use', () => {
  it('gives way to whoever comes after it, says so, and is made once the table is free', async () => {
    const { dataDirectory, databaseUrl } = await copiedPlace();
    await inDatabase(
      databaseUrl,
      'ALTER TABLE scripts DROP COLUMN revision',
      `DELETE FROM migrations WHERE name = 'ScriptRevisions1795879800000'`,
    );
    const report = new pg.Client({ connectionString: databaseUrl });
    await report.connect();
    await report.query('BEGIN');
    await report.query('SELECT count(*) FROM scripts');
    let said = '';
    const ended = runStart(
      {
        GATEHOUSE_DATA: dataDirectory,
        DATABASE_URL: databaseUrl,
        GATEHOUSE_ROLE: 'worker',
      },
      (printed, child) => {
        said += printed;
        if (!child.killed && said.includes('The worker is ready')) child.kill('SIGTERM');
      },
    );
    // As long as a start may take.
    await expect.poll(() => said, { timeout: 120_000 }).toContain('A migration waits for a table');
    // It holds others up as long as it waits itself, and not until the table is free, which is after they are answered.
    for (const until = Date.now() + 5_000; Date.now() < until;)
      await inDatabase(databaseUrl, 'SELECT count(*) FROM scripts');
    expect(said).not.toContain('is ready');
    await report.query('COMMIT');
    await report.end();
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
    await inDatabase(databaseUrl, 'SELECT revision FROM scripts');
    await rm(dataDirectory, { recursive: true });
  }, 300_000);

  it('is made again where it was ended because it and another wait for each other', async () => {
    const pool = new pg.Pool({ connectionString: await newDatabase(), max: 1 });
    const client = await pool.connect();
    const endings = ['deadlock_detected', 'lock_not_available'];
    await patiently(client, async () => {
      const ending = endings.shift();
      await client.query(
        ending === undefined ? 'CREATE TABLE made ()' : `DO $$ BEGIN RAISE ${ending}; END $$`,
      );
    });
    expect((await client.query('SELECT FROM made')).rowCount).toBe(0);
    client.release();
    await pool.end();
  });
});

describe('GET /health/ready', () => {
  it('is 503 while the database can be read and not written to', async () => {
    const gatehouse = await startGatehouse();
    try {
      const api = createClient({ baseUrl: gatehouse.baseUrl });
      const name = new URL(gatehouse.databaseUrl).pathname.slice(1);
      // As a standby that a failover has left behind: connections from now on, and those that there are begin anew.
      await inDatabase(
        gatehouse.databaseUrl,
        `ALTER DATABASE ${name} SET default_transaction_read_only = on`,
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      );
      await expect.poll(async () => (await api.get('/health/ready')).status).toBe(503);
      const { body } = await api.get('/health/ready');
      expect(body.error.details).toMatchObject([{ path: 'database' }]);
    } finally {
      await gatehouse.stop();
    }
  });
});

import { appendFileSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

import pg from 'pg';

import { EmbeddedPostgres } from '../../../src/core/database/embedded/embedded-postgres.js';

/** A program: holds the database that test processes share, and ends once none of them is connected. */
const LOOK_EVERY_MS = 1_000;
const IDLE_LOOKS = 15;
const OTHERS = `
  SELECT count(*)::int AS others FROM pg_stat_activity
  WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`;

const [directory = '', log = ''] = process.argv.slice(2);
// Thrown away afterwards, so it need not survive a power cut.
const database = new EmbeddedPostgres({
  dataDir: directory,
  settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' },
});

try {
  const { url } = await database.start();
  await untilNobodyIsConnected(url);
  await database.stop();
  await rm(directory, { recursive: true, force: true });
  rmSync(log, { force: true });
} catch (error) {
  appendFileSync(log, `${String(error)}\n`);
  await database.stop();
  process.exitCode = 1;
}

/** Nobody has been for a while, and nobody can be from then on: whoever comes has another one started. */
async function untilNobodyIsConnected(url: string): Promise<void> {
  const address = new URL(url);
  const shared = address.pathname.slice(1);
  address.pathname = '/postgres';
  const client = new pg.Client({ connectionString: address.toString() });
  await client.connect();
  const isIdle = async (): Promise<boolean> => {
    const { rows } = await client.query<{ others: number }>(OTHERS);
    return rows[0]!.others === 0;
  };
  const open = (isOpen: boolean) => client.query(`ALTER DATABASE "${shared}" ALLOW_CONNECTIONS ${isOpen}`);
  for (let idle = 0; idle < IDLE_LOOKS; await sleep(LOOK_EVERY_MS)) {
    idle = (await isIdle()) ? idle + 1 : 0;
    if (idle < IDLE_LOOKS) continue;
    await open(false);
    if (await isIdle()) continue;
    idle = 0;
    await open(true);
  }
  await client.end();
}

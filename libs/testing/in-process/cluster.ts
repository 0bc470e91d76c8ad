import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { extname, join } from 'node:path';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

import pg from 'pg';

import { VERSION } from '../../../src/core/config/version.js';
import { EmbeddedPostgres } from '../../../src/core/database/embedded/embedded-postgres.js';

const START_TIMEOUT_MS = 60_000;
const TRY_AGAIN_MS = 5_000;

/**
 * The PostgreSQL that all test processes of this user share: that of `GATEHOUSE_TEST_DATABASE_URL`, or an embedded one.
 * Whichever process comes first has it started; it ends by itself some seconds after the last connection to it, and leaves
 * nothing.
 */
export async function sharedCluster(): Promise<{ url: string; client: pg.Client }> {
  const given = process.env['GATEHOUSE_TEST_DATABASE_URL'];
  if (given) return { url: given, client: await connect(given) };
  const directory = directoryOfCluster();
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (let startedAt = 0; Date.now() < deadline; await sleep(50)) {
    const url = await EmbeddedPostgres.runningUrl(directory).catch(() => null);
    const client = url === null ? null : await connect(url).catch(() => null);
    if (url !== null && client !== null) return { url, client };
    if (Date.now() - startedAt < TRY_AGAIN_MS) continue;
    startedAt = Date.now();
    startHolder(directory);
  }
  throw new Error(`The database for tests did not start within a minute; ${logOf(directory)} says why.`);
}

function directoryOfCluster(): string {
  const program = createHash('sha256')
    .update(`${import.meta.dirname} ${VERSION}`)
    .digest('hex')
    .slice(0, 12);
  return join(tmpdir(), `gatehouse-testing-${process.getuid!()}-${program}`);
}

function logOf(directory: string): string {
  return `${directory}.log`;
}

/** One that comes second finds the directory taken, and ends. */
function startHolder(directory: string): void {
  const program = join(import.meta.dirname, `cluster-holder${extname(import.meta.filename)}`);
  const child = spawn(process.execPath, [program, directory, logOf(directory)], {
    detached: true,
    stdio: 'ignore',
  });
  child.on('error', () => undefined);
  child.unref();
}

/** A break of it is told to whoever uses it next. */
export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

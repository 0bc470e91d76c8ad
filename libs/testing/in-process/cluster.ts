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
 * The address of a PostgreSQL that all test processes of this user share: that of `GATEHOUSE_TEST_DATABASE_URL`, or an
 * embedded one. Whichever process comes first has it started; it ends by itself some seconds after the last one left, and
 * leaves nothing.
 */
export async function sharedCluster(): Promise<string> {
  const given = process.env['GATEHOUSE_TEST_DATABASE_URL'];
  if (given) return given;
  const directory = directoryOfCluster();
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (let startedAt = 0; Date.now() < deadline; await sleep(50)) {
    const url = await EmbeddedPostgres.runningUrl(directory).catch(() => null);
    if (url !== null && (await isReachable(url))) return url;
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

async function isReachable(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

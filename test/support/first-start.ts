import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import pg from 'pg';

import { startGatehouse } from '../../libs/testing/index.js';

/** The database that a first start has left. Nobody is connected to it, so that it can be copied. */
const FIRST_START = 'first_start';

/** The address of another database of the same server. */
function addressOf(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.toString();
}

/** Starts a service for the first time and stops it. Returns the data directory that goes with `FIRST_START`. */
export async function makeFirstStart(url: string): Promise<string> {
  const databaseUrl = await emptyDatabase(url, FIRST_START);
  const dataDirectory = await mkdtemp(join(tmpdir(), 'gatehouse-first-start-'));
  const gatehouse = await startGatehouse({
    dataDirectory,
    env: { DATABASE_URL: databaseUrl },
  });
  await gatehouse.stop();
  return dataDirectory;
}

/** The address of a new database of that name, as a first start has left it. */
export async function copyOfFirstStart(url: string, name: string): Promise<string> {
  await query(url, `CREATE DATABASE ${name} TEMPLATE ${FIRST_START}`);
  return addressOf(url, name);
}

/** The address of a new, empty database of that name. */
export async function emptyDatabase(url: string, name: string): Promise<string> {
  await query(url, `CREATE DATABASE ${name}`);
  return addressOf(url, name);
}

async function query(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

import { randomInt } from 'node:crypto';
import { appendFile, cp, mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

import pg from 'pg';
import { expect, inject } from 'vitest';

import {
  type Client,
  type ClientOptions,
  type GatehouseOptions,
  type GatehouseProcess,
  Seed,
  type TestWorkspace,
  createClient,
  startGatehouse as start,
} from '../../libs/testing/index.js';
import { withChecks } from './answer-check.js';
import { copyOfFirstStart, emptyDatabase } from './first-start.js';

let pool: pg.Pool | undefined;

/** The database of the service that all tests share. */
export function database(): pg.Pool {
  // Connections are kept: each new one reads the catalog again.
  pool ??= new pg.Pool({
    ...{ connectionString: inject('databaseUrl'), max: 4 },
    ...{ idleTimeoutMillis: 0, allowExitOnIdle: true },
  });
  return pool;
}

export const baseUrl = (): string => inject('baseUrl');

/** A client with an address of its own, as far as the service can tell. Its answers have to be as the OpenAPI document says. */
export function client(options: Omit<ClientOptions, 'baseUrl'> = {}): Client {
  const address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
  const headers = { 'x-forwarded-for': address };
  return withChecks(createClient({ baseUrl: baseUrl(), headers, ...options }), baseUrl());
}

/** A client on the service's own machine, without a proxy between. */
export function localClient(headers: Record<string, string> = {}): Client {
  return createClient({ baseUrl: baseUrl(), headers });
}

/** A workspace of one's own, so that no test sees another's. */
export async function newWorkspace(): Promise<TestWorkspace> {
  const workspace = await new Seed(baseUrl(), database()).workspace();
  // The checks at the end of a run name the file whose workspace something is in.
  const { testPath = '' } = expect.getState();
  await appendFile(inject('workspaceFiles'), `${workspace.id} ${relative(process.cwd(), testPath)}\n`);
  return workspace;
}

/**
 * A service of one's own whose first start is over: it begins with copies of what one has left. With a data directory or
 * a `DATABASE_URL`, it begins with these; without the first, it has the master key of all others, with which it can share
 * a database.
 */
export async function startGatehouse(
  options: GatehouseOptions = {},
): Promise<GatehouseProcess & { databaseUrl: string }> {
  const given = options.env?.['DATABASE_URL'];
  const copied = given === undefined && options.dataDirectory === undefined;
  const databaseUrl =
    given ?? (await (copied ? copyOfFirstStart(inject('databaseUrl'), newName()) : newDatabase()));
  const env: Record<string, string> = { ...options.env, DATABASE_URL: databaseUrl };
  if (!copied && options.dataDirectory === undefined) env['GATEHOUSE_MASTER_KEY'] ??= await sharedMasterKey();
  const gatehouse = await start({ ...options, env, ...(copied && { copyOf: inject('firstStart') }) });
  return { ...gatehouse, databaseUrl };
}

/** The database and the data directory of a first start that is over, for one start after the other. */
export async function copiedPlace(): Promise<{ dataDirectory: string; databaseUrl: string }> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'gatehouse-place-'));
  await cp(inject('firstStart'), dataDirectory, { recursive: true });
  return { dataDirectory, databaseUrl: await copyOfFirstStart(inject('databaseUrl'), newName()) };
}

export async function sharedMasterKey(): Promise<string> {
  return (await readFile(join(inject('dataDirectory'), 'master.key'), 'utf8')).trim();
}

/** The address of a new, empty database on the suite's server. */
export const newDatabase = (): Promise<string> => emptyDatabase(inject('databaseUrl'), newName());

const newName = (): string => `test_${process.pid}_${Math.random().toString(36).slice(2)}`;

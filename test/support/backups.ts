import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { open, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import pg from 'pg';
import { expect } from 'vitest';

import { EmbeddedPostgres } from '../../src/core/database/embedded/embedded-postgres.js';
import { type Ended, runAdmin } from './admin.js';

/** Where an instance lives: `env` is what its processes and commands are given. */
export interface InstancePlace {
  dataDirectory: string;
  env: Record<string, string>;
}

export function admin(place: InstancePlace, ...args: string[]): Promise<Ended> {
  return runAdmin(args, envOf(place));
}

/** What it says. */
export async function done(command: Promise<Ended>): Promise<string> {
  const ended = await command;
  expect(ended, ended.stderr).toMatchObject({ code: 0, stderr: '' });
  return ended.stdout;
}

/** Why, without a stack. */
export async function refused(command: Promise<Ended>): Promise<string> {
  const { code, stderr } = await command;
  expect(code, stderr).toBe(1);
  expect(stderr).not.toMatch(/^\s+at /m);
  return stderr;
}

/** With a file as standard input or output, as a shell has it. */
export async function piped(
  place: InstancePlace,
  args: string[],
  file: string,
  way: '<' | '>',
): Promise<Ended> {
  const handle = await open(file, way === '<' ? 'r' : 'w');
  const child = spawn(process.execPath, [resolve('dist/src/admin.js'), ...args], {
    env: { PATH: process.env['PATH'], ...envOf(place) },
    stdio: [way === '<' ? handle.fd : 'ignore', way === '>' ? handle.fd : 'pipe', 'pipe'],
  });
  const ended: Ended = { code: null, stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk: Buffer) => (ended.stdout += chunk.toString()));
  child.stderr!.on('data', (chunk: Buffer) => (ended.stderr += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  await handle.close();
  return { ...ended, code };
}

/** The rows of every table in its order, as a digest of each; without what belongs to processes and moments. */
export async function digests(databaseUrl: string): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(TABLES);
    const found: Record<string, string> = {};
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t ORDER BY 1`);
      found[name] = `${rows.length} ${createHash('sha256').update(JSON.stringify(rows)).digest('hex')}`;
    }
    return found;
  } finally {
    await client.end();
  }
}

/** Rows of a database that is there only while somebody uses it. */
export async function withUrl<T>(place: InstancePlace, use: (url: string) => Promise<T>): Promise<T> {
  if (place.env['DATABASE_URL']) return use(place.env['DATABASE_URL']);
  const embedded = new EmbeddedPostgres({ dataDir: place.dataDirectory });
  try {
    return await use((await embedded.start()).url);
  } finally {
    await embedded.stop();
  }
}

/** Every file of a backup's directory, by its path. */
export async function filesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

export function envOf({ dataDirectory, env }: InstancePlace): Record<string, string> {
  return { GATEHOUSE_DATA: dataDirectory, ...env };
}

const TABLES = `
  SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
    AND relname NOT IN ('instances', 'rate_buckets', 'restored_copy', 'lease_clock') ORDER BY 1`;

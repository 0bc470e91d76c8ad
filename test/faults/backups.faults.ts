import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { type Client, type GatehouseProcess, createClient, firstRun } from '../../libs/testing/index.js';
import { readCatalogue } from '../../src/admin/backup/stored-backup.js';
import { createBlobStore } from '../../src/core/storage/blob-store.factory.js';
import { admin, digests, done, envOf, type InstancePlace, refused } from '../support/backups.js';
import { copiedPlace, newDatabase, startGatehouse } from '../support/gatehouse.js';

/** Of each kind. `GATEHOUSE_TEST_KILLS=25` makes fifty of them. */
const KILLS = Number(process.env['GATEHOUSE_TEST_KILLS'] ?? 4);

let work: string;
let place: InstancePlace & { env: { DATABASE_URL: string } };
let gatehouse: GatehouseProcess;
let owner: Client;
let directory: string;
let keyFile: string;
let uploads = 0;
/** What the database held when a backup was made, by its id. */
const expected = new Map<string, Record<string, string>>();

beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), 'gatehouse-backup-kills-'));
  directory = join(work, 'backups');
  keyFile = join(work, 'backup.key');
  const { dataDirectory, databaseUrl } = await copiedPlace();
  place = { dataDirectory, env: { DATABASE_URL: databaseUrl } };
  gatehouse = await startGatehouse({ dataDirectory, env: { ...place.env, GATEHOUSE_ROLE: 'api' } });
  const { personalAccessToken, workspace } = await firstRun(gatehouse);
  owner = createClient({ baseUrl: gatehouse.baseUrl, token: personalAccessToken!, workspace: workspace! });
  await owner.put('/v1/workspace/secrets/TOKEN', { value: 'a secret value', hosts: ['a.com'] });
  await done(admin(place, 'backup-key', keyFile));
});

afterAll(async () => {
  await gatehouse.stop();
  for (const path of [work, place.dataDirectory]) await rm(path, { recursive: true, force: true });
});

async function upload(bytes: number): Promise<void> {
  const body = Buffer.alloc(bytes, ++uploads);
  const stored = await owner.post(`/v1/files?name=${uploads}.bin`, body, {
    'content-type': 'application/octet-stream',
  });
  expect(stored.status, stored.text).toBe(201);
}

/** The command, killed after so many milliseconds unless it ends before. */
async function killed(at: InstancePlace, args: string[], afterMs: number): Promise<void> {
  const child = spawn(process.execPath, [resolve('dist/src/admin.js'), ...args], {
    env: { PATH: process.env['PATH'], ...envOf(at) },
    stdio: 'ignore',
  });
  const over = once(child, 'close');
  await Promise.race([over, sleep(afterMs)]);
  child.kill('SIGKILL');
  await over;
}

async function timed(command: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await command();
  return performance.now() - begun;
}

/** The newest first. */
async function backups(): Promise<string[]> {
  const { backups: there } = await readCatalogue(await createBlobStore({ kind: 'file', directory }));
  return there.map(({ id }) => id).reverse();
}

/** Changing columns of processes: what a service writes of itself while nothing is asked of it. */
function withoutTraffic({ ...tables }: Record<string, string>): Record<string, string> {
  for (const name of ['personal_tokens', 'sessions', 'usage_counters']) delete tables[name];
  return tables;
}

async function note(): Promise<void> {
  const [last] = await backups();
  if (last !== undefined && !expected.has(last))
    expected.set(last, withoutTraffic(await digests(place.env.DATABASE_URL)));
}

it('a backup that is killed is none, and those before it stay whole', async () => {
  const args = ['backup', directory, '--keep', '3', '--key-file', keyFile];
  await upload(2_000_000);
  const ms = await timed(() => done(admin(place, ...args)));
  await note();
  for (let kill = 0; kill < KILLS; kill++) {
    await upload(500_000);
    await killed(place, args, (ms * 1.2 * (kill + Math.random())) / KILLS);
    await note();
    const [last] = await backups();
    expect(last).toBeDefined();
    await done(admin(place, 'verify-backup', directory, '--key-file', keyFile));
    const copy = { dataDirectory: join(work, `copy-${kill}`), env: { DATABASE_URL: await newDatabase() } };
    await done(admin(copy, 'restore', directory, '--key-file', keyFile));
    expect(withoutTraffic(await digests(copy.env.DATABASE_URL)), `round ${kill}`).toEqual(
      expected.get(last!),
    );
    await rm(copy.dataDirectory, { recursive: true });
  }
  await done(admin(place, ...args));
  await note();
  expect(await backups()).toHaveLength(Math.min(3, expected.size));
}, 3_600_000);

it('a restore that is killed does not start, and the next one is whole', async () => {
  const [last] = await backups();
  const args = ['restore', directory, '--key-file', keyFile];
  const newCopy = async (): Promise<InstancePlace & { env: { DATABASE_URL: string } }> => ({
    dataDirectory: await mkdtemp(join(work, 'restored-')),
    env: { DATABASE_URL: await newDatabase() },
  });
  const whole = await newCopy();
  const ms = await timed(() => done(admin(whole, ...args)));
  for (let kill = 0; kill < KILLS; kill++) {
    const copy = await newCopy();
    await killed(copy, args, (ms * 1.2 * (kill + Math.random())) / KILLS);
    const tables = await digests(copy.env.DATABASE_URL);
    const isWhole = JSON.stringify(withoutTraffic(tables)) === JSON.stringify(expected.get(last!));
    if (!isWhole && Object.keys(tables).length > 0) {
      expect(await refused(admin(copy, 'set-plan', 'nobody', 'default'))).toContain('was cut off');
    }
    if (!isWhole) await done(admin(copy, ...args));
    expect(withoutTraffic(await digests(copy.env.DATABASE_URL)), `round ${kill}`).toEqual(
      expected.get(last!),
    );
    const started = await startGatehouse({
      dataDirectory: copy.dataDirectory,
      env: { ...copy.env, GATEHOUSE_ROLE: 'api' },
    });
    const { personalAccessToken, workspace } = await firstRun(gatehouse);
    const there = createClient({
      baseUrl: started.baseUrl,
      token: personalAccessToken!,
      workspace: workspace!,
    });
    const { items } = (await there.get('/v1/files?limit=100')).body as {
      items: { id: string; sha256: string }[];
    };
    expect(items.length).toBeGreaterThanOrEqual(uploads);
    for (const { id, sha256 } of items) {
      const headers = { authorization: `Bearer ${personalAccessToken}`, 'x-workspace': workspace! };
      const content = await fetch(`${started.baseUrl}/v1/files/${id}/content`, { headers });
      const bytes = Buffer.from(await content.arrayBuffer());
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
    }
    await started.stop();
  }
}, 3_600_000);

it('a move that is killed leaves the old database as it was, and the next one is whole', async () => {
  const old = {
    dataDirectory: await mkdtemp(join(work, 'moved-')),
    env: { DATABASE_URL: await newDatabase() },
  };
  await done(admin(old, 'restore', directory, '--key-file', keyFile));
  const rows = await digests(old.env.DATABASE_URL);
  const goesOn = async (): Promise<boolean> =>
    (await done(admin(old, 'resume'))).includes('no restored copy');
  const newTarget = async (): Promise<InstancePlace & { env: { GATEHOUSE_NEW_DATABASE_URL: string } }> => ({
    ...old,
    env: { ...old.env, GATEHOUSE_NEW_DATABASE_URL: await newDatabase() },
  });
  await goesOn();
  const ms = await timed(async () => done(admin(await newTarget(), 'move-database')));
  await goesOn();
  for (let kill = 0; kill < KILLS; kill++) {
    const to = await newTarget();
    const target = to.env.GATEHOUSE_NEW_DATABASE_URL;
    await killed(to, ['move-database'], (ms * 1.2 * (kill + Math.random())) / KILLS);
    const copy = { ...old, env: { DATABASE_URL: target } };
    const tables = await digests(target);
    const isOver = JSON.stringify(tables) === JSON.stringify(rows);
    if (!isOver && Object.keys(tables).length > 0) {
      expect(await refused(admin(copy, 'set-plan', 'nobody', 'default'))).toContain('was cut off');
    }
    expect(await digests(old.env.DATABASE_URL)).toEqual(rows);
    const isOldHeld = !(await goesOn());
    if (isOver) expect(isOldHeld, `round ${kill}`).toBe(true);
    else await done(admin(to, 'move-database'));
    expect(await digests(target), `round ${kill}`).toEqual(rows);
    expect(await done(admin(copy, 'resume')), `round ${kill}`).toContain('no restored copy');
    await goesOn();
  }
}, 3_600_000);

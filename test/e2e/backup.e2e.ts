import { mkdtemp, readFile, rm, stat, truncate, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import {
  type Client,
  type GatehouseProcess,
  createClient,
  firstRun,
  startGatehouse as startEmbedded,
} from '../../libs/testing/index.js';
import { EmbeddedPostgres } from '../../src/core/database/embedded/embedded-postgres.js';
import { startBucket } from '../../src/core/storage/s3-server.fixture.js';
import {
  admin,
  digests,
  done,
  filesIn,
  type InstancePlace,
  piped,
  refused,
  withUrl,
} from '../support/backups.js';
import { copiedPlace, newDatabase } from '../support/gatehouse.js';
import { SyslogServer } from '../support/syslog-server.js';
import { type TestScript, python, run } from '../support/scripts.js';

const PROGRAM = `
import os, json
open('/outputs/made.txt', 'w').write('made by a run')
print(len(os.environ.get('TOKEN', '')))
`;

let work: string;
let keyFile: string;
const started: GatehouseProcess[] = [];

beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), 'gatehouse-backups-'));
  keyFile = join(work, 'backup.key');
});

afterAll(async () => {
  await Promise.all(started.map((gatehouse) => gatehouse.stop()));
  await rm(work, { recursive: true, force: true });
});

async function start(place: InstancePlace): Promise<GatehouseProcess> {
  const gatehouse = await startEmbedded({ dataDirectory: place.dataDirectory, env: place.env });
  started.push(gatehouse);
  return gatehouse;
}

async function stop(gatehouse: GatehouseProcess): Promise<void> {
  started.splice(started.indexOf(gatehouse), 1);
  await gatehouse.stop();
}

const newPlace = async (env: Record<string, string> = {}): Promise<InstancePlace> => ({
  dataDirectory: await mkdtemp(join(work, 'place-')),
  env: { DATABASE_URL: '', ...env },
});

const urlOf = async ({ dataDirectory, env }: InstancePlace): Promise<string> =>
  env['DATABASE_URL'] || (await EmbeddedPostgres.runningUrl(dataDirectory))!;

async function count(url: string, statement: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ count: number }>(statement);
  await client.end();
  return rows[0]!.count;
}

describe('a backup', () => {
  let place: InstancePlace;
  let credentials: Record<string, string>;
  let directory: string;
  let upload: string;
  let slug: string;
  let long: TestScript;

  const ownerAt = (gatehouse: GatehouseProcess): Client =>
    createClient({
      baseUrl: gatehouse.baseUrl,
      token: credentials['personalAccessToken']!,
      workspace: credentials['workspace']!,
    });
  const take = (...args: string[]) => admin(place, 'backup', directory, '--key-file', keyFile, ...args);
  const verify = (...args: string[]) =>
    admin(place, 'verify-backup', directory, '--key-file', keyFile, ...args);
  const restore = (to: InstancePlace, ...args: string[]) =>
    admin(to, 'restore', directory, '--key-file', keyFile, ...args);

  beforeAll(async () => {
    place = await newPlace();
    directory = join(work, 'backups');
    const gatehouse = await start(place);
    credentials = await firstRun(gatehouse);
    const owner = ownerAt(gatehouse);
    const secret = await owner.put('/v1/workspace/secrets/TOKEN', {
      value: 'a secret value',
      hosts: ['a.com'],
    });
    expect(secret.status, secret.text).toBe(200);
    const file = await owner.post('/v1/files?name=kept.txt', 'kept bytes', { 'content-type': 'text/plain' });
    expect(file.status, file.text).toBe(201);
    upload = file.body.id as string;
    const script = await python(owner, PROGRAM);
    slug = script.slug;
    expect((await run(owner, script)).body.status).toBe('succeeded');
    long = await python(owner, 'pass', { timeout: 60 });
    const schedule = await owner.post(`/v1/scripts/${slug}/schedules`, {
      name: 'often',
      cron: '* * * * *',
      timezone: 'UTC',
    });
    expect(schedule.status, schedule.text).toBe(201);
  }, 180_000);

  it('takes a key file that nobody else reads, and refuses without one', async () => {
    expect(await refused(take())).toContain('could not be read');
    expect(await refused(admin(place, 'backup', directory))).toContain("required option '--key-file <file>'");
    expect(await done(admin(place, 'backup-key', keyFile))).toContain('age1');
    expect((await stat(keyFile)).mode & 0o777).toBe(0o600);
    expect(await refused(admin(place, 'backup-key', keyFile))).toContain('is there already');
  });

  it('is one moment of a service that goes on, and adds only what is new', async () => {
    const owner = ownerAt(started[0]!);
    let going = true;
    const others = (async () => {
      while (going) await run(owner, { slug, id: '' });
    })();
    const first = await done(take());
    going = false;
    await others;
    expect(first).toMatch(/is whole: \d+ rows in \d+ tables, \d+ files, \d+ of them new/);
    await owner.post('/v1/files?name=later.txt', 'later', { 'content-type': 'text/plain' });
    await done(take());
    // The schedule's run of a full minute may leave a file in between.
    await expect.poll(() => done(take())).toMatch(/ 0 of them new/);
    expect(await done(verify())).toMatch(/can be restored: .*\n.* of each of 1 workspaces opens/);
    const text = Buffer.concat(await Promise.all((await filesIn(directory)).map((path) => readFile(path))));
    for (const plain of ['kept bytes', 'made by a run', 'owner@localhost'])
      expect(text.includes(plain)).toBe(false);
  }, 180_000);

  it('keeps as many as are wanted, and what they share', async () => {
    const before = await filesIn(directory);
    await done(take('--keep', '2'));
    const after = await filesIn(directory);
    expect(after.length).toBeLessThan(before.length);
    expect(await refused(restore(await newPlace(), '--backup', 'none'))).toMatch(/There are: \S+, \S+\./);
    await done(verify());
  });

  it('restored beside its original is the same, and begins nothing by itself until it is told to', async () => {
    const sink = await SyslogServer.start();
    const copy = await newPlace({
      GATEHOUSE_LOG_SINK: sink.url,
      GATEHOUSE_OUTBOUND_ALLOW: '127.0.0.0/8',
    });
    expect(await done(restore(copy))).toContain('npm run admin -- resume');
    expect(await refused(restore(copy))).toContain('is not empty');
    await withUrl(copy, async (url) => {
      expect(await count(url, `SELECT count(*)::int AS count FROM files`)).toBeGreaterThan(1);
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.query(`UPDATE schedules SET next_run_at = now() - interval '1 minute'`);
      await client.end();
    });

    const gatehouse = await start(copy);
    const said = /is ready: \S+\. It is a restored copy and begins nothing by itself/;
    await expect.poll(() => gatehouse.output()).toMatch(said);
    const owner = ownerAt(gatehouse);
    expect((await owner.get('/health/ready')).body.checks.automations).toMatch(/^held/);
    expect((await owner.get(`/v1/files/${upload}/content`)).text).toBe('kept bytes');
    const url = await urlOf(copy);
    const fired = () =>
      count(url, 'SELECT count(*)::int AS count FROM schedules WHERE last_run_at IS NOT NULL');
    const before = await fired();
    const runs = () => count(url, 'SELECT count(*)::int AS count FROM runs');
    const had = await runs();
    const waiting = await run(owner, long);
    expect(waiting.body.phase, waiting.text).toBe('queued');
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect([await fired(), await runs(), sink.numbers]).toEqual([before, had + 1, []]);

    expect(await done(admin(copy, 'resume'))).toContain('From now on');
    await expect.poll(() => sink.numbers.length).toBeGreaterThan(0);
    await expect.poll(runs).toBeGreaterThan(had + 1);
    const isOver = async () =>
      (await owner.get(`/v1/runs/${waiting.body.id as string}`)).body.status as string;
    await expect.poll(isOver).toBe('succeeded');
    expect((await owner.get('/health/ready')).body.checks.automations).toBe('ok');
    expect(await done(admin(copy, 'resume'))).toContain('no restored copy');
    await stop(gatehouse);
    await sink.stop();
  }, 180_000);

  it('restored twice at once is there once', async () => {
    const copy = await newPlace({ DATABASE_URL: await newDatabase() });
    const ends = await Promise.all([restore(copy), restore(copy)]);
    const [first, second] = ends.sort((one, other) => one.code! - other.code!);
    expect([first!.code, second!.code]).toEqual([0, 1]);
    expect(second!.stderr).toMatch(/another copy is at work|is not empty/);
    expect(await done(admin(copy, 'resume'))).toContain('From now on');
  });

  it('goes from a directory and the embedded database to S3 and another one, and back', async () => {
    const bucket = await startBucket();
    try {
      const away = await newPlace({
        DATABASE_URL: await newDatabase(),
        GATEHOUSE_FILES: `s3://${bucket.bucket}/files`,
        GATEHOUSE_S3_ENDPOINT: bucket.endpoint,
        AWS_ACCESS_KEY_ID: 'S3RVER',
        AWS_SECRET_ACCESS_KEY: 'S3RVER',
      });
      await done(restore(away));
      const rows = await digests(away.env['DATABASE_URL']!);
      expect((await bucket.keys()).length).toBeGreaterThan(2);

      const archive = join(work, 'archive');
      const taken = await piped(away, ['backup', '-', '--key-file', keyFile], archive, '>');
      expect(taken, taken.stderr).toMatchObject({ code: 0 });
      const home = await newPlace();
      const cut = join(work, 'cut');
      await writeFile(cut, await readFile(archive));
      await truncate(cut, (await stat(archive)).size - 2_000);
      const half = await piped(home, ['restore', '-', '--key-file', keyFile], cut, '<');
      expect([half.code, half.stderr]).toEqual([1, expect.stringMatching(/no whole backup|Unexpected end/)]);
      const back = await piped(home, ['restore', '-', '--key-file', keyFile], archive, '<');
      expect(back, back.stderr).toMatchObject({ code: 0 });
      expect(await withUrl(home, digests)).toEqual(rows);
    } finally {
      await bucket.stop();
    }
  }, 180_000);

  it('of which a byte was changed, cut off or lost is neither verified nor restored', async () => {
    const parts = (await filesIn(directory)).filter((path) => !/catalogue|gatehouse\.lock/.test(path));
    const own = parts
      .filter((path) => path.endsWith('.manifest'))
      .map((path) => basename(path, '.manifest'))
      .sort()
      .at(-1)!;
    const last = parts.find((path) => path.endsWith(`${own}.manifest`))!;
    const needed = [
      last,
      ...parts.filter((path) => path.includes(`${own}.table-`)).slice(0, 2),
      parts.find((path) => path.includes('blobs.'))!,
    ];
    // Each takes several commands, which are processes.
    const tried = process.env['GATEHOUSE_TEST_EVERYTHING'] === '1' ? needed : needed.slice(1, 2);
    for (const path of tried) {
      const bytes = await readFile(path);
      const changed = Buffer.from(bytes);
      changed[changed.length >> 1]! ^= 1;
      for (const damage of [
        () => writeFile(path, changed),
        () => writeFile(path, bytes.subarray(0, -1)),
        () => unlink(path),
      ]) {
        await damage();
        expect((await verify()).code, path).toBe(1);
      }
      if (path === needed[1]) {
        const copy = await newPlace();
        expect(await refused(restore(copy))).toMatch(/is gone/);
        await writeFile(path, bytes);
        // What was begun does not start, and the next attempt goes on from it.
        expect(await refused(admin(copy, 'set-plan', 'a', 'default'))).toContain('was cut off');
        await done(restore(copy));
      }
      await writeFile(path, bytes);
    }
    await done(verify());
  }, 600_000);

  it('is refused for what another key opens, and never repeats a key', async () => {
    const secret = /^AGE-SECRET-KEY-\S+/m.exec(await readFile(keyFile, 'utf8'))![0];
    const given = await admin(place, 'backup', directory, '--key-file', secret);
    expect([given.code, given.stdout, given.stderr]).toEqual([
      1,
      '',
      expect.stringContaining('Name the file with the key'),
    ]);
    expect(given.stderr).not.toContain(secret);
    const other = join(work, 'other.key');
    await done(admin(place, 'backup-key', other));
    expect((await admin(place, 'verify-backup', directory, '--key-file', other)).code).toBe(1);
    const elsewhere = await newPlace({ GATEHOUSE_MASTER_KEY: Buffer.alloc(32, 7).toString('base64') });
    expect(await refused(restore(elsewhere))).toContain('GATEHOUSE_MASTER_KEY is another one');
  });
});

describe('move-database', () => {
  it('copies all rows to an empty database, and leaves the old one held', async () => {
    const { dataDirectory, databaseUrl } = await copiedPlace();
    const target = await newDatabase();
    const place = { dataDirectory, env: { DATABASE_URL: databaseUrl } };
    const env = { ...place.env, GATEHOUSE_NEW_DATABASE_URL: target };
    expect(await refused(admin(place, 'move-database'))).toContain('as GATEHOUSE_NEW_DATABASE_URL');
    const nowhere = 'postgres://someone:a-password@127.0.0.1:1/gone';
    const wrong = await refused(
      admin({ dataDirectory, env: { ...env, GATEHOUSE_NEW_DATABASE_URL: nowhere } }, 'move-database'),
    );
    expect(wrong).toContain('127.0.0.1:1 (GATEHOUSE_NEW_DATABASE_URL) cannot be reached');
    expect(wrong).not.toContain('a-password');
    const itself = { ...env, GATEHOUSE_NEW_DATABASE_URL: databaseUrl };
    expect(await refused(admin({ dataDirectory, env: itself }, 'move-database'))).toContain('is at work on');
    const running = await start({ ...place, env: { ...place.env, GATEHOUSE_ROLE: 'api' } });
    expect(await refused(admin({ dataDirectory, env }, 'move-database'))).toContain(
      'still runs on this database (api)',
    );
    await stop(running);
    const rows = await digests(databaseUrl);
    expect(await done(admin({ dataDirectory, env }, 'move-database'))).toMatch(
      /\d+ rows in \d+ tables are in the new/,
    );
    expect(await digests(target)).toEqual(rows);
    const moved = await start({ dataDirectory, env: { DATABASE_URL: target } });
    expect(moved.output()).not.toContain('restored copy');
    await stop(moved);
    const old = await start(place);
    await expect.poll(() => old.output()).toContain('begins nothing by itself');
    await stop(old);
    expect(await refused(admin({ dataDirectory, env }, 'move-database'))).toContain('is not empty');
    const third = { ...env, GATEHOUSE_NEW_DATABASE_URL: await newDatabase() };
    expect(await done(admin({ dataDirectory, env: third }, 'move-database'))).toContain(
      'so the new one is as well',
    );
    await rm(dataDirectory, { recursive: true });
  }, 180_000);
});

describe('rehearse-upgrade', () => {
  it('upgrades a copy and says what that locked; the database stays as it is', async () => {
    const { dataDirectory, databaseUrl } = await copiedPlace();
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    await client.query('ALTER TABLE scripts DROP COLUMN revision');
    await client.query(`DELETE FROM migrations WHERE name LIKE 'ScriptRevisions%'`);
    await client.end();
    const rows = await digests(databaseUrl);
    const said = await done(admin({ dataDirectory, env: { DATABASE_URL: databaseUrl } }, 'rehearse-upgrade'));
    expect(said).toMatch(/ScriptRevisions\d+: \d+ ms, locks for as long: scripts \(AccessExclusiveLock\)/);
    expect(await digests(databaseUrl)).toEqual(rows);
    await rm(dataDirectory, { recursive: true });
  });
});

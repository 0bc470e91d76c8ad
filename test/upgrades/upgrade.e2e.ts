import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createClient, firstRun, type GatehouseProcess } from '../../libs/testing/index.js';
import { fill } from '../demo/fill.mjs';
import { newDatabase, startGatehouse } from '../support/gatehouse.js';
import { PersonAtWork } from './support/person-at-work.js';
import {
  connected,
  countRows,
  type Dump,
  keepDump,
  keptDumps,
  type Place,
  restoreDump,
  takeDump,
} from './support/dump.js';
import { fillEmptyTables } from './support/fill-tables.js';
import { programOf } from './support/release-program.js';

const BUILD_MS = 600_000;
/** A migration waits two seconds for a table and then gives way: far more than that and what it does, on a machine that is busy. */
/** They say what is going on and not what was, or end with what they are about. */
const MAY_SHRINK =
  /^(idempotency_keys|rate_buckets|sign_in_attempts|password_resets|sessions|mails|waiting_firings|waiting_schedules|event_handlings|alert_sightings|error_sightings|run_end_sightings|unread_runs)$/;

async function newPlace(): Promise<Place> {
  return {
    databaseUrl: await newDatabase(),
    dataDirectory: await mkdtemp(join(tmpdir(), 'gatehouse-upgrade-')),
  };
}

const start = (
  { databaseUrl, dataDirectory }: Place,
  role: string,
  program?: string,
): Promise<GatehouseProcess> =>
  startGatehouse({
    dataDirectory,
    env: { DATABASE_URL: databaseUrl, GATEHOUSE_ROLE: role, GATEHOUSE_RATE_LIMIT: '0' },
    ...(program !== undefined && { program }),
  });

/** Its rows in some order, but for when: that is moved to the present. */
function withoutMoments({ name, columns, rows }: Dump['tables'][number]): object {
  const stays = columns.map(({ type }) => !/^(date|timestamp)/.test(type));
  const values = rows.map((row) => JSON.stringify(row.filter((_, at) => stays[at])));
  return { name, columns, rows: values.sort() };
}

/** What this version leaves behind, with something in every table. */
async function dumpOfThisVersion(): Promise<Dump> {
  const place = await newPlace();
  const gatehouse = await start(place, 'all');
  await fill(await firstRun(gatehouse), { databaseUrl: place.databaseUrl, runs: 24 });
  await gatehouse.stop();
  const counts = await countRows(place.databaseUrl);
  const empty = Object.keys(counts).filter((name) => counts[name] === 0);
  await connected(place.databaseUrl, (client) => fillEmptyTables(client, empty));
  const dump = await takeDump(place);
  await rm(place.dataDirectory, { recursive: true });
  return dump;
}

const kept = await keptDumps();
let ofThisVersion: Dump;

beforeAll(async () => {
  ofThisVersion = await dumpOfThisVersion();
  if (process.env['GATEHOUSE_TEST_KEEP_DUMP'] === '1') console.log(`Kept: ${await keepDump(ofThisVersion)}`);
}, BUILD_MS);

it('is tried with data in every table', () => {
  expect(ofThisVersion.tables.filter(({ rows }) => rows.length === 0)).toEqual([]);
});

it('is tried with what comes back as it was kept', async () => {
  const place = await newPlace();
  await restoreDump({ ...ofThisVersion, takenAt: new Date().toISOString() }, place);
  const again = await takeDump(place);
  expect(again.tables.map(withoutMoments)).toEqual(ofThisVersion.tables.map(withoutMoments));
  expect(again.files).toEqual(ofThisVersion.files);
  await rm(place.dataDirectory, { recursive: true });
});

describe.each([...kept.map(({ version }) => version), 'this version'])('the data of %s', (version) => {
  let place: Place;
  let older: GatehouseProcess;
  let newer: GatehouseProcess;
  let person: PersonAtWork;
  let before: Record<string, number>;

  beforeAll(async () => {
    const dump = kept.find((one) => one.version === version) ?? ofThisVersion;
    const program = dump === ofThisVersion ? 'dist/src/main.js' : await programOf(dump);
    place = await newPlace();
    await restoreDump(dump, place);
    before = await countRows(place.databaseUrl);
    older = await start(place, 'api', program);
    person = PersonAtWork.begin(older.baseUrl, await firstRun(older));
    await person.until(10);
    newer = await start(place, 'all');
  }, BUILD_MS);
  afterAll(async () => {
    await person?.stop();
    await older?.stop();
    await newer?.stop();
    if (place) await rm(place.dataDirectory, { recursive: true, force: true });
  });

  it('is upgraded while an API process of that version answers, before and after', async () => {
    await person.until(person.done + 30);
    expect(person.failures).toEqual([]);
    // A run that the older one takes is carried out by the newer one.
    expect(await person.run()).toMatchObject({ status: 'succeeded' });
  });

  it('is all there afterwards, and can be worked with', async () => {
    const after = await countRows(place.databaseUrl);
    const lost = Object.keys(before).filter(
      (name) => !MAY_SHRINK.test(name) && !(after[name]! >= before[name]!),
    );
    expect(lost).toEqual([]);
    const { personalAccessToken, workspace } = await firstRun(newer);
    const api = createClient({ baseUrl: newer.baseUrl, token: personalAccessToken!, workspace: workspace! });
    for (const list of [
      'scripts',
      'runs',
      'files',
      'schedules',
      'triggers',
      'workspace/secrets',
      'workspace/members',
      'workspace/audit-events',
    ]) {
      const { status, body } = await api.get(`/v1/${list}?limit=100`);
      expect([list, status]).toEqual([list, 200]);
      expect(body.items.length, list).toBeGreaterThan(0);
    }
    const { body: runs } = await api.get('/v1/runs?limit=100');
    for (const { id } of runs.items) expect((await api.get(`/v1/runs/${id}`)).status).toBe(200);
    const { body: files } = await api.get('/v1/files?limit=100');
    for (const { id, size } of files.items) {
      expect((await api.get(`/v1/files/${id}/content`)).text.length > 0).toBe(size > 0);
    }
  });
});

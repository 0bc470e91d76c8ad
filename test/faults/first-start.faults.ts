import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type GatehouseProcess, createClient, firstRun, freePort } from '../../libs/testing/index.js';
import { FIELDS, ONE_OF_EACH, count, inventory, ownerOf } from '../support/first-run.js';
import { newDatabase, startGatehouse } from '../support/gatehouse.js';

interface Place {
  databaseUrl: string;
  dataDirectory: string;
}

describe('a first start that is killed', () => {
  let place: Place;
  let gatehouse: GatehouseProcess | undefined;
  beforeAll(async () => {
    const dataDirectory = await mkdtemp(join(tmpdir(), 'gatehouse-first-start-'));
    place = { databaseUrl: await newDatabase(), dataDirectory };
  });
  afterAll(async () => {
    await gatehouse?.stop();
    await rm(place.dataDirectory, { recursive: true, force: true });
  });

  /** What a first start has come to; a later one is not there yet when an earlier comes. */
  type Moment = (place: Place) => Promise<boolean>;
  const draft: Moment = ({ dataDirectory }) =>
    readFile(join(dataDirectory, 'first-run.draft.json'), 'utf8').then(
      (text) => text.length > 0,
      () => false,
    );
  const has =
    (table: string): Moment =>
    async ({ databaseUrl }) =>
      (await count(databaseUrl, table)) > 0;

  it('when the credentials were written but perhaps not committed, when there is a person, a script, and when the example was asked to run, is finished by the next', async () => {
    for (const moment of [draft, has('users'), has('scripts'), has('runs')]) await killAt(moment);
    gatehouse = await startGatehouse({
      dataDirectory: place.dataDirectory,
      env: { DATABASE_URL: place.databaseUrl },
    });
    expect(await inventory(place.databaseUrl)).toEqual(ONE_OF_EACH);
    const credentials = await firstRun(gatehouse);
    expect(Object.keys(credentials).sort()).toEqual(FIELDS);
    expect(existsSync(join(place.dataDirectory, 'first-run.draft.json'))).toBe(false);
    const owner = ownerOf(credentials);
    expect((await owner.get('/v1/scripts/country-chart')).body).toMatchObject({ publishedVersion: 1 });
    const key = createClient({ baseUrl: credentials['baseUrl']!, token: credentials['apiKey']! });
    expect((await key.get('/v1/workspace')).status).toBe(200);
    const { email, password } = credentials;
    expect((await key.post('/v1/auth/login', { email, password })).status).toBe(200);
  }, 600_000);

  async function killAt(moment: Moment): Promise<void> {
    const child = spawn(process.execPath, [resolve('dist/src/main.js')], {
      env: {
        PATH: process.env['PATH'],
        PORT: String(await freePort()),
        GATEHOUSE_DATA: place.dataDirectory,
        DATABASE_URL: place.databaseUrl,
      },
      stdio: 'ignore',
    });
    const ended = new Promise((done) => child.once('close', done));
    try {
      const deadline = Date.now() + 120_000;
      while (!(await moment(place))) {
        await sleep(1);
        expect(child.exitCode, 'it ended by itself').toBeNull();
        if (Date.now() > deadline) throw new Error('The moment never came.');
      }
    } finally {
      child.kill('SIGKILL');
      await ended;
    }
  }
});

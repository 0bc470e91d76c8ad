import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';

import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import {
  type Client,
  type GatehouseProcess,
  Seed,
  createClient,
  freePort,
} from '../../libs/testing/index.js';
import { startGatehouse } from '../support/gatehouse.js';
import { python, run } from '../support/scripts.js';

const PLACES = ['/usr/bin/bwrap', '/bin/bwrap', '/usr/local/bin/bwrap'].filter((path) => existsSync(path));
const INSTALLED = [...new Set(PLACES.map((path) => realpathSync(path)))];
const LAUNCHER = resolve('dist/libs/sandbox/launcher');

let api: GatehouseProcess & { databaseUrl: string };
let there: Client;
let waiting: string;

/** A service that runs nothing itself, and a run that waits for a worker. */
beforeAll(async () => {
  api = await startGatehouse({ env: { GATEHOUSE_ROLE: 'api', GATEHOUSE_SIGNUP: 'open' } });
  const pool = new pg.Pool({ connectionString: api.databaseUrl, max: 1 });
  const workspace = await new Seed(api.baseUrl, pool).workspace();
  await pool.end();
  there = createClient({ baseUrl: api.baseUrl, token: workspace.owner.token, workspace: workspace.slug });
  waiting = (await run(there, await python(there, 'print("ran")', { timeout: 60 }))).body.id;
});
afterEach(async () => {
  const { body } = await there.get(`/v1/runs/${waiting}`);
  expect(body).toMatchObject({ status: 'running', phase: 'queued', executionStartedAt: null });
});
afterAll(async () => {
  await there?.post(`/v1/runs/${waiting}/cancel`);
  await api?.stop();
});

/**
 * Starts another process of that service on this machine as it would be with some of its files replaced, and waits for
 * its end. Bubblewrap itself makes that view: it mounts over the files, for this process alone.
 */
async function startWith(view: string[], role = 'worker'): Promise<SpawnSyncReturns<string>> {
  const port = String(await freePort());
  return spawnSync(
    INSTALLED[0]!,
    ['--dev-bind', '/', '/', ...view, '--', process.execPath, resolve('dist/src/main.js')],
    {
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        PORT: port,
        GATEHOUSE_ROLE: role,
        GATEHOUSE_DATA: api.dataDirectory,
        DATABASE_URL: api.databaseUrl,
      },
      encoding: 'utf8',
      timeout: 120_000,
    },
  );
}

/** Nothing that could be executed. */
const without = INSTALLED.flatMap((path) => ['--ro-bind', '/dev/null', path]);

describe('a machine without a sandbox', () => {
  it.each(['all', 'worker'])(
    'where bubblewrap is missing, the role %s does not start and says what to install',
    async (role) => {
      const { status, stdout, stderr } = await startWith(without, role);
      expect({ status, stdout }).toEqual({ status: 1, stdout: expect.not.stringContaining('ready') });
      expect(stderr).toContain('bubblewrap is not installed');
      expect(stderr).toContain('apt-get install bubblewrap');
      expect(stderr).toContain('Nothing is run without a sandbox.');
      expect(stderr).not.toMatch(/^\s+at /m);
    },
  );

  it('where bubblewrap is a program that runs commands as they are, none is run', async () => {
    const { status, stderr } = await startWith(
      INSTALLED.flatMap((path) => ['--ro-bind', '/usr/bin/env', path]),
    );
    expect(status).toBe(1);
    expect(stderr).toContain('the box could not start');
  });

  it('where the launcher does not work, no other way is taken', async () => {
    const { status, stderr } = await startWith(['--ro-bind', '/usr/bin/true', LAUNCHER]);
    expect(status).toBe(1);
    expect(stderr).toContain('could not prepare a box');
  });

  it('where user namespaces are forbidden, nothing starts, and the reason is named', async () => {
    const { status, stderr } = await startWith(['--unshare-user', '--uid', '1000', '--disable-userns']);
    expect(status).toBe(1);
    expect(stderr).toMatch(/could not prepare a box/);
    expect(stderr).toMatch(/unshare/);
  });
});

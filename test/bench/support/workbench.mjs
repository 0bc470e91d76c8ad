import { execFileSync, fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import pg from 'pg';

import { Seed, createClient, startGatehouse } from '../../../dist/libs/testing/index.js';
import { EmbeddedPostgres } from '../../../dist/src/core/database/embedded/embedded-postgres.js';

/** A database with the settings of a real one, a Gatehouse on it, and somebody who may do everything. */
export async function openWorkbench(env = {}, settings = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  const database = new EmbeddedPostgres({ dataDir: directory, settings });
  const { url } = await database.start();
  const gatehouse = await startGatehouse({
    env: {
      DATABASE_URL: url,
      GATEHOUSE_SIGNUP: 'open',
      GATEHOUSE_WORKSPACES_PER_PERSON: '1000',
      GATEHOUSE_AUTOMATIONS_PER_WORKSPACE: '1000000',
      ...env,
    },
  });
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  const workspace = await new Seed(gatehouse.baseUrl, pool).workspace();
  const api = createClient({
    baseUrl: gatehouse.baseUrl,
    token: workspace.owner.token,
    workspace: workspace.slug,
  });
  return {
    url,
    postgresPid: Number(readFileSync(join(directory, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]),
    pool,
    gatehouse,
    workspace,
    api,
    close: async () => {
      await pool.end();
      await gatehouse.stop();
      await database.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Publishes a script of one file, and of what it needs installed. */
export async function publish(api, slug, name, text, fields = {}, requirements = null) {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-script-'));
  writeFileSync(join(folder, name), text);
  if (requirements !== null) writeFileSync(join(folder, 'requirements.txt'), requirements);
  const archive = execFileSync('tar', ['-czf', '-', '-C', folder, '.']).toString('base64');
  rmSync(folder, { recursive: true });
  expect(await api.post('/v1/scripts', { slug, name: slug }), 201);
  expect(await api.post(`/v1/scripts/${slug}/versions`, { archive, ...fields }), 201);
  expect(await api.post(`/v1/scripts/${slug}/publish`, { version: 1 }), 200);
}

export function expect(answer, status) {
  if (answer.status !== status) throw new Error(`Expected ${status}, got ${answer.status}: ${answer.text}`);
  return answer.body;
}

/** Starts the Express route that reading a run is compared with. */
export function startBaseline(databaseUrl) {
  const program = fileURLToPath(new URL('express-baseline.mjs', import.meta.url));
  const child = fork(program, { env: { DATABASE_URL: databaseUrl } });
  return new Promise((done) => {
    child.once('message', (port) => done({ port, stop: () => child.kill() }));
  });
}

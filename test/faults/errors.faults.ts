import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { Client, Json } from '../../libs/testing/index.js';
import { newId } from '../../src/core/crypto/ids.js';
import { startGatehouse } from '../support/gatehouse.js';
import { finished, python, runUntil } from '../support/scripts.js';
import { WebhookBench } from '../support/webhooks.js';

let bench: WebhookBench;
let api: Client;
let workspaceId: string;

beforeEach(async () => {
  bench = await WebhookBench.start();
  const workspace = await bench.workspace();
  workspaceId = workspace.id;
  api = bench.client(workspace);
});
afterEach(() => bench.close());

const one = async (sql: string, parameters: unknown[] = []): Promise<Json> =>
  (await bench.pool.query<Json>(sql, parameters)).rows[0] as Json;

/** Kills the service, and starts it again on what it has left. */
async function killed(): Promise<void> {
  const { dataDirectory, databaseUrl } = bench.gatehouse;
  await bench.gatehouse.kill();
  const started = await startGatehouse({
    dataDirectory,
    env: {
      DATABASE_URL: databaseUrl,
      GATEHOUSE_SIGNUP: 'open',
      GATEHOUSE_RATE_LIMIT: '0',
      NODE_EXTRA_CA_CERTS: bench.caFile,
    },
  });
  bench.gatehouse = Object.assign(started, { databaseUrl });
}

/** Failed runs, as copies of one, with their events. */
async function failures(run: string, count: number): Promise<void> {
  const ids = Array.from({ length: count }, () => newId('run'));
  await bench.pool.query(
    `INSERT INTO runs (id, workspace_id, environment_id, script_id, script_slug, version_id, version, status, phase,
       inputs, by_agent, interface, test, error, started_at, finished_at)
     SELECT copy.id, r.workspace_id, r.environment_id, r.script_id, r.script_slug, r.version_id, r.version, r.status,
       r.phase, r.inputs, r.by_agent, r.interface, r.test, r.error, r.started_at, r.finished_at
     FROM runs r, unnest($2::text[]) AS copy(id) WHERE r.id = $1`,
    [run, ids],
  );
  await bench.write(
    workspaceId,
    null,
    ids.map((runId) => ({ runId, test: false, trial: false })),
    'run.failed',
  );
}

describe('an error whose process is killed', () => {
  it('has counted each failure once, and told of itself once', async () => {
    const script = await python(api, 'import sys; print("no row 7", file=sys.stderr); sys.exit(3)');
    const { body } = await api.post(`/v1/scripts/${script.slug}/runs`, { inputs: {} });
    await runUntil(api, body.id as string, finished);
    for (let kill = 0; kill < 4; kill++) {
      await failures(body.id as string, 400);
      await killed();
    }
    const state = () =>
      one(
        `SELECT (SELECT sum(count)::int FROM error_groups) AS counted, (SELECT count(*)::int FROM error_groups) AS errors,
           (SELECT count(*)::int FROM error_runs) AS runs, (SELECT count(*)::int FROM error_sightings) AS left,
           (SELECT count(*)::int FROM events WHERE type = 'error.new') AS told,
           (SELECT sum(failed)::int FROM run_statistics WHERE unit = 'day') AS days,
           (SELECT sum(failed)::int FROM run_statistics WHERE unit = 'hour') AS hours`,
      );
    await expect
      .poll(state, { timeout: 120_000 })
      .toEqual({ counted: 1601, errors: 1, runs: 1601, left: 0, told: 1, days: 1601, hours: 1601 });
  }, 300_000);
});

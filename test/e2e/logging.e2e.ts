import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterEach, describe, expect, it } from 'vitest';

import {
  type GatehouseProcess,
  type Json,
  Seed,
  createClient,
  firstRun,
  startGatehouse as startEmpty,
} from '../../libs/testing/index.js';
import { runAdmin } from '../support/admin.js';
import { startGatehouse } from '../support/gatehouse.js';
import { python, run } from '../support/scripts.js';
import pg from 'pg';

const WARNS_AT_SIGUSR2 = `data:text/javascript,process.on('SIGUSR2',()=>process.emitWarning('an-old-call'))`;

let gatehouse: (GatehouseProcess & { databaseUrl: string }) | undefined;

afterEach(async () => {
  await gatehouse?.stop();
  gatehouse = undefined;
});

/** A service that has served a few requests and carried out a run, and what that was. */
async function afterSomeWork(env: Record<string, string>) {
  gatehouse = await startGatehouse({
    env: { GATEHOUSE_SIGNUP: 'open', GATEHOUSE_LOG_LEVEL: 'info', ...env },
  });
  const { baseUrl, databaseUrl } = gatehouse;
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  const workspace = await new Seed(baseUrl, pool).workspace();
  await pool.end();
  const api = createClient({ baseUrl, token: workspace.owner.token, workspace: workspace.slug });
  const script = await python(api, 'print("a-value-of-somebody")');
  const { body, headers } = await run(api, script);
  const missing = await api.get('/v1/runs/run_none?token=secret-query');
  const text = gatehouse.output();
  for (const value of ['a-value-of-somebody', 'secret-query', 'run_none', workspace.owner.token])
    expect(text).not.toContain(value);
  return {
    workspace,
    run: body,
    startId: headers.get('x-request-id'),
    missing,
    output: () => gatehouse!.output(),
  };
}

describe('the log', () => {
  it('is a line of JSON each where no person looks: requests and runs by their ids', async () => {
    const work = await afterSomeWork({});
    const lines = (): Json[] =>
      work
        .output()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    const line = async (fits: (line: Json) => boolean): Promise<Json> => {
      await expect.poll(() => lines().find(fits)).toBeTruthy();
      return lines().find(fits);
    };
    expect(await line(({ runId }) => runId === work.run.id)).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      context: 'Runs',
      runId: work.run.id,
      workspaceId: work.workspace.id,
      ms: expect.any(Number),
      message: 'A run has succeeded.',
    });
    expect(await line(({ requestId }) => requestId === work.startId)).toMatchObject({
      context: 'Http',
      workspaceId: work.workspace.id,
      message: 'POST /v1/scripts/:slug/runs 200',
    });
    const refused = work.missing.headers.get('x-request-id');
    expect((await line(({ requestId }) => requestId === refused)).message).toBe('GET /v1/runs/:runId 400');
  });

  it('is text where the settings say so', async () => {
    const work = await afterSomeWork({ GATEHOUSE_LOG_FORMAT: 'text' });
    await expect.poll(() => work.output()).toContain(`[Runs] A run has succeeded. (runId=${work.run.id} `);
    await expect
      .poll(() => work.output())
      .toContain(`(requestId=${work.startId} workspaceId=${work.workspace.id} `);
    expect(work.output()).not.toMatch(/^\{/m);
  });

  it('is JSON of a first start as well, of the embedded database and of Node itself, without a credential', async () => {
    const first = await startEmpty({ env: { NODE_OPTIONS: `--import=${WARNS_AT_SIGUSR2}` } });
    try {
      const credentials = await firstRun(first);
      await expect.poll(first.output).toContain('Gatehouse is ready');
      first.process.kill('SIGUSR2');
      process.kill(await postmasterOf(first), 'SIGKILL');
      await expect.poll(first.output).toContain('ended unexpectedly');
      await expect.poll(first.output).toContain('Warning: an-old-call');
      const lines = first
        .output()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Json);
      expect(lines.map(({ message }) => message)).toEqual(
        expect.arrayContaining([
          expect.stringContaining(
            `The credentials of the first start are in ${first.dataDirectory}/first-run.json`,
          ),
          `Gatehouse is ready: ${first.baseUrl}`,
          'The embedded database ended unexpectedly; starting it again.',
        ]),
      );
      for (const name of ['password', 'personalAccessToken', 'apiKey'])
        expect(first.output()).not.toContain(credentials[name]);
    } finally {
      await first.stop();
    }
  });

  // It starts a service and six commands.
  it('says more of one workspace for a while, in a process that runs, and of no other', async () => {
    gatehouse = await startGatehouse({ env: { GATEHOUSE_SIGNUP: 'open' } });
    const { baseUrl, databaseUrl, dataDirectory } = gatehouse;
    const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
    const [one, other] = [
      await new Seed(baseUrl, pool).workspace(),
      await new Seed(baseUrl, pool).workspace(),
    ];
    const api = ({ owner, slug }: typeof one) =>
      createClient({ baseUrl, token: owner.token, workspace: slug }).get('/v1/workspace');
    const admin = (...args: string[]) =>
      runAdmin(['log-level', ...args], { DATABASE_URL: databaseUrl, GATEHOUSE_DATA: dataDirectory });
    const told = ({ id }: typeof one): boolean => gatehouse!.output().includes(`"workspaceId":"${id}"`);
    await api(one);
    expect(told(one)).toBe(false);
    const raised = await admin('info', '--workspace', one.slug, '--minutes', '5', '--json');
    expect(raised.stderr).toBe('');
    expect(JSON.parse(raised.stdout)).toEqual([
      { subject: one.id, level: 'info', until: expect.stringMatching(/^\d{4}-/) },
    ]);
    await expect
      .poll(async () => {
        await Promise.all([api(one), api(other)]);
        return told(one);
      })
      .toBe(true);
    expect(told(other)).toBe(false);
    const { rows } = await pool.query(
      `SELECT workspace_id AS workspace, actor_type AS actor, details FROM audit_events WHERE action = 'log.level_changed'`,
    );
    expect(rows).toEqual([{ workspace: one.id, actor: 'staff', details: { level: 'info', minutes: 5 } }]);
    await pool.end();
    expect((await admin('usual', '--workspace', one.slug)).stdout).toContain(
      'as much as GATEHOUSE_LOG_LEVEL',
    );
    for (const [args, reason] of [
      [['loud'], /choices are info, debug, usual/],
      [['info', '--minutes', '0'], /from 1 to 1440/],
      [['info', '--workspace', 'none'], /no workspace "none"/],
    ] as const) {
      expect((await admin(...args)).stderr).toMatch(reason);
    }
  });
});

async function postmasterOf({ dataDirectory }: GatehouseProcess): Promise<number> {
  return Number((await readFile(join(dataDirectory, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]);
}

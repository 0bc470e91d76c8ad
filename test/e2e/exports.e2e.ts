import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import type { Json, TestWorkspace } from '../../libs/testing/index.js';
import { baseUrl, client, newWorkspace } from '../support/gatehouse.js';
import { copyRun } from '../support/copied-rows.js';
import { finished, python, run, runUntil } from '../support/scripts.js';

const AUDIT = '/v1/workspace/audit-events';

const byOwner = ({ owner, slug }: TestWorkspace) => client({ token: owner.token, workspace: slug });

function exported(path: string, token: string, workspace: string): Promise<Response> {
  return fetch(new URL(path, baseUrl()), {
    headers: { authorization: `Bearer ${token}`, 'x-workspace': workspace },
  });
}

const linesOf = async (response: Response): Promise<Json[]> =>
  (await response.text())
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Json);

/** A workspace with a run that has ended. */
async function worldWithRun(code: string) {
  const workspace = await newWorkspace();
  const api = byOwner(workspace);
  const script = await python(api, code);
  const { body } = await run(api, script);
  const ended = await runUntil(api, body.id as string, finished);
  return { workspace, api, script, ended, token: workspace.owner.token, slug: workspace.slug };
}

describe('an export of runs', () => {
  it('has each run as the list has it, over many pages, and only those that fit', async () => {
    const { api, slug, token, ended, script } = await worldWithRun('print(1)');
    await copyRun(ended.id as string, 1_200);
    const response = await exported('/v1/runs/export', token, slug);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/x-ndjson');
    expect(response.headers.get('content-disposition')).toContain('filename="runs.ndjson"');
    expect(response.headers.get('cache-control')).toBe('no-store');
    const runs = await linesOf(response);
    expect(new Set(runs.map(({ id }) => id)).size).toBe(1_201);
    expect(runs.map(({ id }) => id)).toEqual(
      runs
        .map(({ id }) => id as string)
        .toSorted()
        .toReversed(),
    );
    expect(runs.slice(0, 100)).toEqual((await api.get('/v1/runs?limit=100')).body.items);
    const fitting = `/v1/runs/export?script=${script.slug}&status=failed`;
    expect(await linesOf(await exported(fitting, token, slug))).toEqual([]);
  });

  it('is a CSV file whose words no spreadsheet takes for formulas', async () => {
    const { workspace, script, slug, token } = await worldWithRun('print(1)');
    const app = client({ cookie: workspace.owner.cookie, workspace: slug });
    const { body: key } = await app.post('/v1/workspace/api-keys', {
      name: '=HYPERLINK("https://x.example", 1)',
    });
    const { body } = await run(client({ token: key.key as string }), script);
    const response = await exported('/v1/runs/export?format=csv', token, slug);
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const [columns, record] = (await response.text()).split('\r\n') as [string, string];
    expect(columns).toMatch(/^id,script\.slug,version,environment,status,phase,error,/);
    expect(record).toContain(`${body.id as string},${script.slug},1,production,succeeded,finished,,`);
    expect(record).toContain(`,"'=HYPERLINK(""https://x.example"", 1)",`);
    const cells = record.replaceAll(/"(?:[^"]|"")*"/g, '').split(',');
    expect(cells).toHaveLength(columns.split(',').length);
  });

  it('has no more than the list shows to whoever asks', async () => {
    const { workspace, slug } = await worldWithRun('print(1)');
    const guest = await workspace.person('guest');
    expect(await (await exported('/v1/runs/export', guest.token, slug)).text()).toBe('');
    const stranger = await newWorkspace();
    expect((await exported('/v1/runs/export', stranger.owner.token, slug)).status).toBe(403);
  });

  it.each([
    ['format=xlsx', 'format'],
    ['limit=10', 'limit'],
    ['cursor=abc', 'cursor'],
    ['status=late', 'status'],
  ])('refuses %s', async (query, path) => {
    const workspace = await newWorkspace();
    const { status, body } = await byOwner(workspace).get(`/v1/runs/export?${query}`);
    expect([status, body.error.details[0].path]).toEqual([400, path]);
  });

  it('is cut off, and does not look whole, once its key is revoked', async () => {
    const { workspace, slug, ended } = await worldWithRun(`raise SystemExit('x' * 4000)`);
    await copyRun(ended.id as string, 20_000);
    const app = client({ cookie: workspace.owner.cookie, workspace: slug });
    const key = (await app.post('/v1/workspace/api-keys', { name: 'Export' })).body;
    const response = await exported('/v1/runs/export', key.key as string, slug);
    expect(response.status).toBe(200);
    expect((await app.delete(`/v1/workspace/api-keys/${key.id as string}`)).status).toBe(204);
    const reader = response.body!.getReader();
    const readSlowly = async (): Promise<void> => {
      while (!(await reader.read()).done) await sleep(20);
    };
    await expect(readSlowly()).rejects.toThrow();
  });
});

describe('an export of the audit trail', () => {
  it('has each entry as the list has it, from one moment to another', async () => {
    const workspace = await newWorkspace();
    const api = byOwner(workspace);
    await api.post('/v1/workspace/teams', { name: 'Support' });
    const { items } = (await api.get(`${AUDIT}?limit=100`)).body;
    const { token } = workspace.owner;
    expect(await linesOf(await exported(`${AUDIT}/export`, token, workspace.slug))).toEqual(items);
    const middle = items[1].createdAt as string;
    const older = (await api.get(`${AUDIT}?until=${middle}`)).body.items as Json[];
    const isOlder = ({ createdAt }: Json) => (createdAt as string) < middle;
    expect(older).toEqual((items as Json[]).filter(isOlder));
    expect(await linesOf(await exported(`${AUDIT}/export?until=${middle}`, token, workspace.slug))).toEqual(
      older,
    );
    const csv = await (await exported(`${AUDIT}/export?format=csv`, token, workspace.slug)).text();
    expect(csv).toContain('"{""name"":""Support""}"\r\n');
  });

  it('is for whoever may read it', async () => {
    const workspace = await newWorkspace();
    const member = await workspace.person('member');
    expect((await exported(`${AUDIT}/export`, member.token, workspace.slug)).status).toBe(403);
  });
});

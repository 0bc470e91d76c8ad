import { describe, expect, it } from 'vitest';

import type { Json, TestWorkspace } from '../../libs/testing/index.js';
import { client, newWorkspace } from '../support/gatehouse.js';
import { copyRun } from '../support/copied-rows.js';
import { exported, worldWithRun } from '../support/exports.js';

const AUDIT = '/v1/workspace/audit-events';

const byOwner = ({ owner, slug }: TestWorkspace) => client({ token: owner.token, workspace: slug });

const linesOf = async (response: Response): Promise<Json[]> =>
  (await response.text())
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Json);

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

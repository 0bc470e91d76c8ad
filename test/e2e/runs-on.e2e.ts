import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import {
  type Client,
  createClient,
  type GatehouseProcess,
  type Json,
  Seed,
  type TestWorkspace,
} from '../../libs/testing/index.js';
import { client, database, newWorkspace, startGatehouse } from '../support/gatehouse.js';
import { archiveOf, finished, newVersion, python, run, runUntil } from '../support/scripts.js';

const ENVIRONMENTS = '/v1/workspace/environments';
const RULE = 'must begin with a lower-case letter or digit, and have only those and any of . _ -, at most 50';
const NO_WORKER = 'No worker that is running carries the tag “eu-vpc”. It begins once one does.';

let workspace: TestWorkspace;
let api: Client;

beforeAll(async () => {
  workspace = await newWorkspace();
  api = client({ token: workspace.owner.token, workspace: workspace.slug });
});

async function unplaceable(runId: string): Promise<Json[]> {
  const { rows } = await database().query<{ data: Json }>(
    `SELECT data FROM events WHERE type = 'run.unplaceable' AND data ->> 'runId' = $1`,
    [runId],
  );
  return rows.map(({ data }) => data);
}

/** A script of which no run can begin here: no worker of the tests carries a tag. */
const elsewhere = (fields: Json = {}) => python(api, 'print(1)', { runsOn: ['eu-vpc'], ...fields });

describe('A run that asks for tags which no worker carries', () => {
  it('says so at once, and by one event', async () => {
    const script = await elsewhere();
    const { status, body } = await run(api, script);
    expect([status, body.phase, body.runsOn]).toEqual([202, 'queued', ['eu-vpc']]);
    expect((await api.get(`/v1/runs/${body.id}`)).body.waitsBecause).toBe(NO_WORKER);
    await expect.poll(() => unplaceable(body.id)).toHaveLength(1);
    expect((await unplaceable(body.id))[0]).toMatchObject({
      script: { slug: script.slug },
      status: 'running',
      runsOn: ['eu-vpc'],
      startedBy: { userId: workspace.owner.id },
    });
    const listed = await api.get('/v1/runs?limit=1');
    expect(listed.body.items[0]).toMatchObject({ id: body.id, runsOn: ['eu-vpc'] });
    expect((await api.post(`/v1/runs/${body.id}/cancel`)).body).toMatchObject({ status: 'cancelled' });
    expect(await unplaceable(body.id)).toHaveLength(1);
  });

  it('keeps no other run waiting', async () => {
    const { body } = await run(api, await elsewhere());
    const other = await run(api, await python(api, 'print(2)'));
    expect(other.body).toMatchObject({ status: 'succeeded', output: 2, runsOn: [] });
    expect((await api.get(`/v1/runs/${body.id}`)).body.phase).toBe('queued');
    await api.post(`/v1/runs/${body.id}/cancel`);
  });

  it('names all of the tags, and may be one of a batch, or expire', async () => {
    const script = await elsewhere({ runsOn: ['eu-vpc', 'gpu'] });
    const batch = await api.post(`/v1/scripts/${script.slug}/runs/batch`, { inputs: [{}] });
    expect(batch.status, batch.text).toBe(202);
    const { items } = (await api.get(`/v1/runs?script=${script.slug}`)).body;
    expect((await api.get(`/v1/runs/${items[0].id}`)).body.waitsBecause).toBe(
      'No worker that is running carries all of the tags “eu-vpc”, “gpu”. It begins once one does.',
    );
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const late = await api.post(`/v1/scripts/${script.slug}/runs`, { inputs: {}, expiresAt });
    await database().query('UPDATE runs SET expires_at = now() WHERE id = $1', [late.body.id]);
    expect(await runUntil(api, late.body.id, finished)).toMatchObject({ endReason: 'expired' });
    await api.post(`/v1/runs/${items[0].id}/cancel`);
  });
});

describe('A process that carries tags', () => {
  let gatehouse: GatehouseProcess;
  let own: Client;
  let pool: pg.Pool;

  beforeAll(async () => {
    const env = { GATEHOUSE_WORKER_TAGS: 'gpu, eu-vpc', GATEHOUSE_SIGNUP: 'open' };
    const started = await startGatehouse({ env });
    gatehouse = started;
    pool = new pg.Pool({ connectionString: started.databaseUrl, max: 1, allowExitOnIdle: true });
    const { owner, slug } = await new Seed(started.baseUrl, pool).workspace();
    own = createClient({ baseUrl: started.baseUrl, token: owner.token, workspace: slug });
  });
  afterAll(async () => {
    await pool?.end();
    await gatehouse?.stop();
  });

  it('begins what asks for some of them as it is written, and what asks for none', async () => {
    const asks = await python(own, 'print(1)', { runsOn: ['eu-vpc'] });
    const usual = await python(own, 'print(2)');
    const waiting = await run(own, await python(own, 'print(3)', { runsOn: ['eu-vpc', 'ssd'] }));
    expect((await run(own, asks)).body).toMatchObject({ status: 'succeeded', output: 1 });
    expect((await run(own, usual)).body).toMatchObject({ status: 'succeeded', output: 2 });
    expect((await own.get(`/v1/runs/${waiting.body.id}`)).body.phase).toBe('queued');
  });
});

describe('runsOn', () => {
  it('of a version is shown, without what is given twice', async () => {
    const script = await elsewhere({ runsOn: ['eu-vpc', 'gpu', 'eu-vpc'] });
    expect((await api.get(`/v1/scripts/${script.slug}/versions/1`)).body.runsOn).toEqual(['eu-vpc', 'gpu']);
    expect(await newVersion(api, script.slug, { 'main.py': 'print(1)' })).toMatchObject({ runsOn: [] });
    const { items } = (await api.get('/v1/workspace/audit-events?action=script.version.created')).body;
    expect(items.map(({ details }: Json) => details.runsOn)).toContainEqual(['eu-vpc', 'gpu']);
  });

  it('of an environment counts instead of the version’s, for runs that are started from then on', async () => {
    const made = await api.post(ENVIRONMENTS, { name: 'vpc', runsOn: ['us-vpc'] });
    expect([made.status, made.body.runsOn]).toEqual([201, ['us-vpc']]);
    const script = await elsewhere();
    const there = client({ token: workspace.owner.token, workspace: workspace.slug, environment: 'vpc' });
    const before = await run(there, script);
    expect(before.body.runsOn).toEqual(['us-vpc']);
    const changed = await api.patch(`${ENVIRONMENTS}/vpc`, { runsOn: [] });
    expect([changed.status, changed.body.runsOn]).toEqual([200, []]);
    const after = await run(there, script);
    expect(after.body.runsOn).toEqual(['eu-vpc']);
    expect((await there.get(`/v1/runs/${before.body.id}`)).body.runsOn).toEqual(['us-vpc']);
    const { items } = (await api.get('/v1/workspace/audit-events?action=environment.updated')).body;
    expect(items[0].details).toMatchObject({ name: 'vpc', changed: ['runsOn'] });
    for (const { body } of [before, after]) await there.post(`/v1/runs/${body.id}/cancel`);
  });

  it.each([
    [['EU'], 'runsOn.0', RULE],
    [['eu', ''], 'runsOn.1', RULE],
    [['eu', 'a b'], 'runsOn.1', RULE],
    [['-eu'], 'runsOn.0', RULE],
    [['a'.repeat(51)], 'runsOn.0', RULE],
    [['eu', 7], 'runsOn.1', RULE],
    [[null], 'runsOn.0', RULE],
    ['eu', 'runsOn', expect.any(String)],
    [null, 'runsOn', expect.any(String)],
    [Array.from({ length: 11 }, (_, index) => `t${index}`), 'runsOn', expect.any(String)],
  ])('is not %j', async (runsOn, path, message) => {
    const script = await elsewhere();
    const archive = await archiveOf({ 'main.py': 'print(1)' });
    for (const refused of [
      await api.post(`/v1/scripts/${script.slug}/versions`, { archive, runsOn }),
      await api.post(ENVIRONMENTS, { name: 'refused', runsOn }),
      await api.patch(`${ENVIRONMENTS}/production`, { runsOn }),
    ]) {
      expect([refused.status, refused.body.error.details[0]]).toEqual([400, { path, message }]);
    }
  });
});

import { beforeAll, describe, expect, it } from 'vitest';

import type { Client, Json, TestPerson, TestWorkspace } from '../../libs/testing/index.js';
import { RunTokens } from '../../src/core/causes/run-tokens.js';
import { MasterKey } from '../../src/core/crypto/index.js';
import { client, database, newWorkspace, sharedMasterKey } from '../support/gatehouse.js';
import { byToken, newTeam } from '../support/people.js';
import { finished, python, run, runUntil, type TestScript } from '../support/scripts.js';

let ws: TestWorkspace;
let owner: Client;
let member: TestPerson;
/** Runs of the first wait for their time in two environments; only owners and admins see the second. */
let open: TestScript;
let secret: TestScript;

const later = new Date(Date.now() + 3_600_000).toISOString();
const inStaging = (): Client =>
  client({ token: ws.owner.token, workspace: ws.slug, headers: { 'x-environment': 'staging' } });

beforeAll(async () => {
  ws = await newWorkspace();
  owner = byToken(ws.owner, ws);
  member = await ws.person('member');
  await owner.post('/v1/workspace/environments', { name: 'staging' });
  [open, secret] = [await python(owner, 'print(1)'), await python(owner, 'print(1)')];
  const team = await newTeam(ws, 'Few');
  const hidden = await owner.patch(`/v1/scripts/${secret.slug}`, { access: 'teams', teamIds: [team.id] });
  expect(hidden.status).toBe(200);
});

async function waiting(by: Client, script: TestScript): Promise<string> {
  const { status, body, text } = await by.post(`/v1/scripts/${script.slug}/runs`, { startAt: later });
  expect(status, text).toBe(202);
  return body.id as string;
}

const phaseOf = async (id: string): Promise<string> =>
  (await owner.get(`/v1/runs/${id}`)).body.phase as string;

/** Cancels all that there is for somebody, and tells what that was. */
async function cancelsAll(by: Client, filter: object = { all: true }): Promise<Json> {
  const { status, body, text } = await by.post('/v1/runs/cancel', filter);
  expect(status, text).toBe(202);
  let operation: Json = body;
  await expect
    .poll(async () => {
      operation = (await by.get(`/v1/runs/operations/${body.id}`)).body;
      return operation.status;
    })
    .toBe('completed');
  return operation;
}

describe('whoever cancels all runs cannot', () => {
  it('reach those of a script that they may not see, by its name or at all', async () => {
    const [seen, unseen] = [await waiting(owner, open), await waiting(owner, secret)];
    const by = byToken(member, ws);
    expect((await cancelsAll(by, { script: secret.slug })).matched).toBe(0);
    expect(await cancelsAll(by)).toMatchObject({ matched: 1, done: 1 });
    expect([await phaseOf(seen), await phaseOf(unseen)]).toEqual(['finished', 'delayed']);
    await cancelsAll(owner);
  });

  it('reach what others started, as a guest', async () => {
    const guest = byToken(await ws.person('guest'), ws);
    const theirs = await waiting(owner, open);
    expect((await cancelsAll(guest)).matched).toBe(0);
    expect(await phaseOf(theirs)).toBe('delayed');
    await cancelsAll(owner);
  });

  it('reach another environment by a key that is bound to one', async () => {
    const [here, elsewhere] = [await waiting(inStaging(), open), await waiting(owner, open)];
    const key = client({ token: await ws.apiKey('staging') });
    const named = await key.post('/v1/runs/cancel', { environment: 'production' });
    expect([named.status, named.body.error.code]).toEqual([403, 'forbidden']);
    expect(await cancelsAll(key)).toMatchObject({ matched: 1, done: 1 });
    expect([await phaseOf(here), await phaseOf(elsewhere)]).toEqual(['finished', 'delayed']);
    const byOwner = await cancelsAll(owner);
    expect((await key.get(`/v1/runs/operations/${byOwner.id}`)).status).toBe(404);
  });

  it('reach another workspace', async () => {
    const other = await newWorkspace();
    const stranger = byToken(other.owner, other);
    const run = await waiting(owner, open);
    expect((await cancelsAll(stranger)).matched).toBe(0);
    for (const filter of [{ script: open.slug }, { startedBy: ws.owner.id }, { causedBy: run }]) {
      const tried = await stranger.post('/v1/runs/cancel', { ...filter, dryRun: true });
      expect(tried.body).toEqual({ matched: 0, more: false });
    }
    const mine = await cancelsAll(owner);
    expect((await stranger.get(`/v1/runs/operations/${mine.id}`)).status).toBe(404);
    expect((await stranger.post(`/v1/runs/operations/${mine.id}/cancel`)).status).toBe(404);
  });
});

it('a member neither sees nor ends what a colleague has asked for', async () => {
  const { id } = await cancelsAll(owner);
  const by = byToken(member, ws);
  expect((await by.get(`/v1/runs/operations/${id}`)).status).toBe(404);
  expect((await by.post(`/v1/runs/operations/${id}/cancel`)).status).toBe(404);
  const { items } = (await by.get('/v1/runs/operations?limit=100')).body as { items: Json[] };
  expect(items.filter(({ startedBy }) => (startedBy as Json).userId !== member.id)).toEqual([]);
});

it('a script does not start more runs by running all again than its chain has room for', async () => {
  const script = await python(owner, 'print(1)');
  const { body: cause } = await run(owner, script);
  await runUntil(owner, cause.id as string, finished);
  const tokens = new RunTokens(new MasterKey(Buffer.from(await sharedMasterKey(), 'base64')));
  const gate = { 'x-gatehouse-run': tokens.issue({ id: cause.id as string, workspaceId: ws.id }, 60_000) };
  const refused = await owner.post('/v1/runs/rerun', { script: script.slug }, gate);
  expect([refused.status, refused.body.error.message]).toEqual([409, expect.stringContaining('one by one')]);
  const { rows } = await database().query<Json>(
    'SELECT count(*)::int AS runs FROM runs WHERE script_id = $1',
    [script.id],
  );
  expect(rows).toEqual([{ runs: 1 }]);
});

import { beforeAll, describe, expect, it } from 'vitest';

import type { Answer, Client, Json, TestPerson, TestWorkspace } from '../../../libs/testing/index.js';
import { client, database, newWorkspace } from '../../support/gatehouse.js';
import {
  APPROVALS,
  approve,
  ask,
  auditOf,
  byAgent,
  byToken,
  deny,
  eventsOf,
  inApp,
  letExpire,
  read,
  redeem,
  removeMember,
  setRole,
} from '../../support/approvals.js';

let ws: TestWorkspace;
let admin: TestPerson;
let member: TestPerson;
let owner: Client;
let asker: Client;
let count = 0;

beforeAll(async () => {
  ws = await newWorkspace();
  [admin, member] = await Promise.all([ws.person('admin'), ws.person('member')]);
  owner = inApp(ws, ws.owner);
  asker = byToken(ws, member);
});

const request = (by: Client = asker): Promise<Json> => ask(by, 'api_key.create', { name: `key-${++count}` });

async function approved(by: Client = asker, approver: Client = owner): Promise<Json> {
  const { id } = await request(by);
  const { status, body } = await approve(approver, id);
  expect([status, body.status]).toEqual([200, 'approved']);
  return body;
}

async function keysNamed(name: string): Promise<number> {
  const { rows } = await database().query<{ count: number }>(
    'SELECT count(*)::int FROM api_keys WHERE workspace_id = $1 AND name = $2',
    [ws.id, name],
  );
  return rows[0]!.count;
}

const refusal = ({ status, body }: Answer): unknown[] => [status, body.error?.code];

describe('redeeming', () => {
  it('makes the secret once, for the token that asked, as the person who approved', async () => {
    const asked = await request();
    expect(asked.secret).toEqual({ name: 'API key', envVar: 'GATEHOUSE_API_KEY' });
    const { body: granted } = await approve(inApp(ws, admin), asked.id);
    expect(granted).toMatchObject({
      status: 'approved',
      result: null,
      decidedBy: { userId: admin.id, name: admin.name },
      decidedAt: expect.any(String),
    });
    expect(await keysNamed(asked.input.name)).toBe(0);

    const { status, body } = await redeem(asker, asked.id);
    expect(status).toBe(200);
    expect(body).toEqual({
      request: {
        ...granted,
        status: 'completed',
        result: expect.objectContaining({ name: asked.input.name, createdByUserId: member.id }),
      },
      secret: expect.stringMatching(/^svc_sk_/),
      envVar: 'GATEHOUSE_API_KEY',
    });
    expect((await client({ token: body.secret }).get('/v1/workspace')).body.id).toBe(ws.id);
    expect(await read(asker, asked.id)).toEqual(body.request);
    expect(await auditOf(asked.id)).toEqual(['approval.requested', 'approval.approved', 'approval.redeemed']);
    const { rows } = await database().query('SELECT actor_user_id FROM audit_events WHERE target_id = $1', [
      body.request.result.id,
    ]);
    expect(rows).toEqual([{ actor_user_id: admin.id }]);
    const events = await eventsOf(asked.id);
    expect(events.map(({ data }) => data.status)).toEqual(['pending', 'approved']);

    expect(refusal(await redeem(asker, asked.id))).toEqual([400, 'invalid_request']);
    const { rows: kept } = await database().query(
      `SELECT row_to_json(a)::text AS text FROM approval_requests a WHERE id = $1
       UNION ALL SELECT data::text FROM events WHERE workspace_id = $2
       UNION ALL SELECT details::text FROM audit_events WHERE workspace_id = $2`,
      [asked.id, ws.id],
    );
    expect(JSON.stringify(kept)).not.toContain(body.secret);
  });

  it('is for that token alone', async () => {
    const { id } = await approved();
    const others = {
      'another token of the same person': client({ token: await member.tokenWith({}), workspace: ws.slug }),
      "the approver's token": byToken(ws, ws.owner),
      "the person's agent": await byAgent(ws, member),
    };
    for (const [who, api] of Object.entries(others)) {
      expect([who, ...refusal(await redeem(api, id))]).toEqual([who, 404, 'not_found']);
    }
    for (const api of [inApp(ws, member), owner, client({ token: await ws.apiKey() })]) {
      expect(refusal(await redeem(api, id))).toEqual([403, 'forbidden']);
    }
    const token = await member.tokenWith({ scopes: ['workspace.approvals:read'] });
    expect((await redeem(client({ token, workspace: ws.slug }), id)).status).toBe(403);
    const other = await newWorkspace();
    await database().query(
      `INSERT INTO memberships (id, workspace_id, user_id, role) VALUES ('mem_' || substr(md5($1), 1, 26), $1, $2, 'owner')`,
      [other.id, member.id],
    );
    expect((await redeem(client({ token: member.token, workspace: other.slug }), id)).status).toBe(404);
    expect((await redeem(asker, id)).status).toBe(200);
  });

  it('takes an approved request', async () => {
    const pending = await request();
    const denied = await request();
    await deny(owner, denied.id);
    const expired = await approved();
    await letExpire(expired.id);
    const other = await ask(asker, 'environment.create', { name: 'no-secret' });
    await approve(owner, other.id);
    for (const { id } of [pending, denied, expired, other]) {
      expect(refusal(await redeem(asker, id))).toEqual([400, 'invalid_request']);
    }
    expect((await read(asker, expired.id)).status).toBe('expired');
    expect(refusal(await approve(owner, expired.id))).toEqual([400, 'invalid_request']);
    expect((await redeem(asker, 'apr_00000000000000000000000000')).status).toBe(404);
    expect((await asker.post(`${APPROVALS}/${pending.id}/redeem`, { x: 1 })).status).toBe(400);
    expect(await keysNamed(expired.input.name)).toBe(0);
  });

  it('approved but not redeemed, it expires and is told to have', async () => {
    const { id } = await approved();
    await letExpire(id);
    await expect
      .poll(async () => (await eventsOf(id)).map(({ data }) => data.status))
      .toEqual(['pending', 'approved', 'expired']);
    expect((await read(asker, id)).decidedBy).toEqual({ userId: ws.owner.id, name: ws.owner.name });
  });

  it('many at once: one gets the secret', async () => {
    for (let round = 0; round < 4; round++) {
      const { id, input } = await approved();
      const answers = await Promise.all(Array.from({ length: 8 }, () => redeem(asker, id)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 400)).toHaveLength(7);
      expect(await keysNamed(input.name)).toBe(1);
    }
  });

  it('cannot be approved twice, nor decided while it waits', async () => {
    const { id } = await approved();
    expect(refusal(await approve(owner, id))).toEqual([400, 'invalid_request']);
    expect(refusal(await deny(owner, id))).toEqual([400, 'invalid_request']);
  });

  it('gives the secret again to a retry with the same key, by that token only', async () => {
    const { id } = await approved();
    const headers = { 'idempotency-key': `redeem-${id}` };
    const first = await redeem(asker, id, headers);
    const again = await redeem(asker, id, headers);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(first.body.secret).toMatch(/^svc_sk_/);
    const other = client({ token: await member.tokenWith({}), workspace: ws.slug });
    expect((await redeem(other, id, headers)).status).toBe(404);
    expect(refusal(await redeem(asker, id, { 'idempotency-key': `other-${id}` }))).toEqual([
      400,
      'invalid_request',
    ]);
    const { rows } = await database().query<{ state: string; body: Buffer }>(
      `SELECT state, body FROM idempotency_keys WHERE key = $1 AND state = 'responded' AND status = 200`,
      [`redeem-${id}`],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]!.body.toString('latin1')).not.toContain('svc_sk_');
  });
});

describe('a world that changed before it was redeemed', () => {
  it('fails where the person who approved has lost the right', async () => {
    const person = await ws.person('admin');
    const { id, input } = await approved(asker, inApp(ws, person));
    await setRole(ws, person, 'member');
    const { status, body } = await redeem(asker, id);
    expect([status, body.secret, body.envVar]).toEqual([200, null, null]);
    expect([body.request.status, body.request.result.error]).toEqual([
      'failed',
      expect.stringContaining('approved'),
    ]);
    expect(await keysNamed(input.name)).toBe(0);
    expect(await auditOf(id)).toEqual(['approval.requested', 'approval.approved', 'approval.failed']);
    expect(refusal(await redeem(asker, id))).toEqual([400, 'invalid_request']);
  });

  it('fails where the environment of the key is gone', async () => {
    await owner.post('/v1/workspace/environments', { name: 'ci' });
    const asked = await ask(asker, 'api_key.create', { name: 'bound', environment: 'ci' });
    expect(asked.summary).toBe('Make the API key bound, which acts as an admin in the environment ci only.');
    await approve(owner, asked.id);
    expect((await owner.delete('/v1/workspace/environments/ci')).status).toBe(204);
    const { body } = await redeem(asker, asked.id);
    expect([body.request.status, body.secret]).toEqual(['failed', null]);
    expect(await keysNamed('bound')).toBe(0);
  });

  it('is closed to a token that was revoked and to a person who was removed', async () => {
    const token = await member.tokenWith({});
    const api = client({ token, workspace: ws.slug });
    const { id } = await approved(api);
    expect((await client({ token }).delete('/v1/user/token')).status).toBe(204);
    expect((await redeem(api, id)).status).toBe(401);
    expect((await redeem(asker, id)).status).toBe(404);

    const person = await ws.person('member');
    const theirs = await approved(byToken(ws, person));
    await removeMember(ws, person);
    expect((await redeem(byToken(ws, person), theirs.id)).status).toBe(403);
    const asked = await ws.person('member').then(async (leaver) => {
      const made = await request(byToken(ws, leaver));
      await removeMember(ws, leaver);
      return made;
    });
    expect((await approve(owner, asked.id)).body.status).toBe('failed');
  });
});

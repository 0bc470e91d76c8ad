import { beforeAll, describe, expect, it } from 'vitest';

import type { Client, Json, TestPerson, TestWorkspace } from '../../../libs/testing/index.js';
import { client, database, newWorkspace } from '../../support/gatehouse.js';
import { lockingBriefly, untilSomebodyWaitsFor } from '../../support/locking.js';
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
  removeMember,
  setRole,
} from '../../support/approvals.js';

const ENVIRONMENTS = '/v1/workspace/environments';

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

/** A request to make an environment of a name of its own. */
async function request(by: Client = asker): Promise<Json> {
  return ask(by, 'environment.create', { name: `made-${++count}` });
}

const exists = async ({ input }: Json): Promise<boolean> =>
  (await owner.get(`${ENVIRONMENTS}/${input.name}`)).status === 200;

const outcome = ({ status, body }: { status: number; body: Json }): unknown =>
  status === 200 ? body.status : [status, body.error.code];

describe('approving', () => {
  it('does what was asked, as the person who approves', async () => {
    const asked = await request();
    const { status, body } = await approve(inApp(ws, admin), asked.id);
    expect(status).toBe(200);
    expect(body).toEqual({
      ...asked,
      status: 'completed',
      decidedAt: expect.stringMatching(/Z$/),
      decidedBy: { userId: admin.id, name: admin.name },
      decisionReason: null,
      result: expect.objectContaining({ name: asked.input.name, createdByUserId: admin.id }),
    });
    expect(await read(asker, asked.id)).toEqual(body);
    expect(await exists(asked)).toBe(true);
    expect(await auditOf(asked.id)).toEqual(['approval.requested', 'approval.approved']);
    expect(await eventsOf(asked.id)).toEqual([
      expect.objectContaining({ type: 'approval.requested' }),
      {
        type: 'approval.decided',
        data: {
          requestId: asked.id,
          action: 'environment.create',
          title: asked.title,
          status: 'completed',
          runId: null,
          decidedBy: { userId: admin.id, name: admin.name },
        },
      },
    ]);
    const { rows } = await database().query(
      `SELECT actor_type, actor_user_id, credential_type FROM audit_events WHERE target_id = $1`,
      [body.result.id],
    );
    expect(rows).toEqual([{ actor_type: 'user', actor_user_id: admin.id, credential_type: null }]);
  });

  it("is for owners and admins in the app, and for oneself where it is one's own token's", async () => {
    const asked = await request();
    const owned = await request(byToken(ws, ws.owner));
    const refused = async (api: Client, id = asked.id) => (await approve(api, id)).status;
    expect(await refused(inApp(ws, member))).toBe(403);
    expect(await refused(inApp(ws, await ws.person('guest')))).toBe(403);
    expect(await refused(byToken(ws, ws.owner))).toBe(403);
    expect(await refused(await byAgent(ws, ws.owner))).toBe(403);
    expect(await refused(client({ token: await ws.apiKey() }))).toBe(403);
    const other = await newWorkspace();
    expect(await refused(inApp(other, other.owner))).toBe(404);
    expect(await refused(owner, 'apr_00000000000000000000000000')).toBe(404);
    for (const api of [inApp(ws, member), byToken(ws, ws.owner)]) {
      expect((await deny(api, asked.id)).status).toBe(403);
    }
    expect((await deny(inApp(other, other.owner), asked.id)).status).toBe(404);
    expect((await read(asker, asked.id)).status).toBe('pending');
    expect(outcome(await approve(owner, owned.id))).toBe('completed');
  });

  it('lets nobody approve what they could not do directly', async () => {
    const asked = await ask(asker, 'workspace.rename', { name: 'Not by admins' });
    const { status, body } = await approve(inApp(ws, admin), asked.id);
    expect([status, body.error.code]).toEqual([403, 'forbidden']);
    expect((await read(asker, asked.id)).status).toBe('pending');
  });

  it('takes no body, and a denial only a reason', async () => {
    const { id } = await request();
    expect((await owner.post(`${APPROVALS}/${id}/approve`, { reason: 'x' })).status).toBe(400);
    for (const body of [{ reason: '' }, { reason: 'x'.repeat(501) }, { reason: null }, { why: 'x' }]) {
      expect((await owner.post(`${APPROVALS}/${id}/deny`, body)).status).toBe(400);
    }
    expect((await deny(owner, id, 'bell \u0007')).status).toBe(400);
  });
});

describe('denying', () => {
  it('ends it, and tells why', async () => {
    const asked = await request();
    const { status, body } = await deny(owner, asked.id, 'Not now.\nAsk again ש');
    expect(status).toBe(200);
    expect(body).toEqual({
      ...asked,
      status: 'denied',
      decidedAt: expect.stringMatching(/Z$/),
      decidedBy: { userId: ws.owner.id, name: ws.owner.name },
      decisionReason: 'Not now.\nAsk again ש',
    });
    expect(await exists(asked)).toBe(false);
    expect(await auditOf(asked.id)).toEqual(['approval.requested', 'approval.denied']);
    expect((await eventsOf(asked.id))[1].data).toMatchObject({ status: 'denied' });
    expect(outcome(await approve(owner, asked.id))).toEqual([400, 'invalid_request']);
  });

  it('needs no reason', async () => {
    expect((await deny(owner, (await request()).id)).body.decisionReason).toBeNull();
  });
});

describe('many deciders at once', () => {
  it('one wins, and the others are told', async () => {
    const deciders = [owner, inApp(ws, admin), owner, inApp(ws, admin), owner, inApp(ws, admin)];
    for (let round = 0; round < 4; round++) {
      const asked = await request();
      const answers = await Promise.all(
        deciders.map((api, index) => (index % 3 === 2 ? deny(api, asked.id) : approve(api, asked.id))),
      );
      const won = answers.filter(({ status }) => status === 200);
      expect(won).toHaveLength(1);
      for (const { status, body } of answers.filter((answer) => answer !== won[0])) {
        expect([status, body.error.code]).toEqual([400, 'invalid_request']);
      }
      const decided = await read(asker, asked.id);
      expect(decided).toEqual(won[0]!.body);
      expect(await exists(asked)).toBe(decided.status === 'completed');
      expect(await eventsOf(asked.id)).toHaveLength(2);
      expect(await auditOf(asked.id)).toHaveLength(2);
    }
  });

  it('of different requests for the same thing, one does it and the others fail', async () => {
    const name = `made-${++count}`;
    const asked = await Promise.all([1, 2, 3].map(() => ask(asker, 'environment.create', { name })));
    const answers = await Promise.all(asked.map(({ id }) => approve(owner, id)));
    expect(answers.map(({ body }) => body.status).sort()).toEqual(['completed', 'failed', 'failed']);
  });

  it('returns the same to a retry with the same key', async () => {
    const { id } = await request();
    const headers = { 'idempotency-key': `approve-${id}` };
    const first = await owner.post(`${APPROVALS}/${id}/approve`, undefined, headers);
    const again = await owner.post(`${APPROVALS}/${id}/approve`, undefined, headers);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await eventsOf(id)).toHaveLength(2);
  });
});

describe('after 24 hours', () => {
  it('a request has expired at once, and nothing can be decided', async () => {
    const asked = await request();
    await letExpire(asked.id);
    const [seen, approved, denied] = await Promise.all([
      read(asker, asked.id),
      approve(owner, asked.id),
      deny(owner, asked.id),
    ]);
    expect(seen.status).toBe('expired');
    expect([seen.decidedAt, seen.decidedBy, seen.result]).toEqual([null, null, null]);
    for (const { status, body } of [approved, denied]) {
      expect([status, body.error.code]).toEqual([400, 'invalid_request']);
      expect(body.error.message).toContain('expired');
    }
    expect(await exists(asked)).toBe(false);
  });

  it('it is marked and told, once', async () => {
    const asked = await request();
    await letExpire(asked.id);
    await expect
      .poll(() => eventsOf(asked.id))
      .toEqual([
        expect.objectContaining({ type: 'approval.requested' }),
        {
          type: 'approval.decided',
          data: expect.objectContaining({ requestId: asked.id, status: 'expired', decidedBy: null }),
        },
      ]);
    expect(await auditOf(asked.id)).toEqual(['approval.requested', 'approval.expired']);
    const { rows } = await database().query(
      `SELECT actor_type FROM audit_events WHERE target_id = $1 AND action = 'approval.expired'`,
      [asked.id],
    );
    expect(rows).toEqual([{ actor_type: 'system' }]);
    expect((await read(asker, asked.id)).status).toBe('expired');
  });
});

describe('a world that changed', () => {
  it('fails where who asked has been removed', async () => {
    const person = await ws.person('member');
    const asked = await request(byToken(ws, person));
    await removeMember(ws, person);
    const { body } = await approve(owner, asked.id);
    expect([body.status, body.result]).toEqual([
      'failed',
      { error: 'The person who asked is not a member of the workspace any more.' },
    ]);
    expect(await exists(asked)).toBe(false);
    expect(await auditOf(asked.id)).toEqual(['approval.requested', 'approval.failed']);
    expect((await eventsOf(asked.id))[1].data).toMatchObject({ status: 'failed' });
    expect(outcome(await approve(owner, asked.id))).toEqual([400, 'invalid_request']);
  });

  it('takes whoever is disabled for somebody who has left, be it who asked or who approves', async () => {
    const [left, person] = await Promise.all([ws.person('member'), ws.person('admin')]);
    const [theirs, asked] = [await request(byToken(ws, left)), await request()];
    await database().query('UPDATE users SET disabled_at = now() WHERE id = ANY($1)', [[left.id, person.id]]);
    for (const decide of [approve, deny]) {
      expect(outcome(await decide(inApp(ws, person), asked.id))).toEqual([403, 'forbidden']);
    }
    expect(outcome(await approve(owner, theirs.id))).toBe('failed');
    expect(await exists(theirs)).toBe(false);
    expect(outcome(await approve(owner, asked.id))).toBe('completed');
  });

  it('leaves it pending where who would approve has lost the role', async () => {
    const person = await ws.person('admin');
    const asked = await request();
    expect((await inApp(ws, person).get(`${APPROVALS}/${asked.id}`)).status).toBe(200);
    await setRole(ws, person, 'member');
    for (const decide of [approve, deny]) {
      expect(outcome(await decide(inApp(ws, person), asked.id))).toEqual([403, 'forbidden']);
    }
    await removeMember(ws, person);
    expect(outcome(await approve(inApp(ws, person), asked.id))).toEqual([403, 'forbidden']);
    expect((await read(asker, asked.id)).status).toBe('pending');
    expect(await exists(asked)).toBe(false);
    expect(outcome(await approve(owner, asked.id))).toBe('completed');
  });

  it('judges the role again under the lock', async () => {
    const person = await ws.person('admin');
    const asked = await request();
    const connection = await database().connect();
    let decided: Promise<Json>;
    try {
      await connection.query('BEGIN');
      await connection.query('SELECT FROM approval_requests WHERE id = $1 FOR UPDATE', [asked.id]);
      decided = approve(inApp(ws, person), asked.id);
      await untilSomebodyWaitsFor(connection);
      await setRole(ws, person, 'member');
    } finally {
      await connection.query('COMMIT');
      connection.release();
    }
    expect(outcome(await decided)).toEqual([403, 'forbidden']);
    expect((await read(asker, asked.id)).status).toBe('pending');
  });

  it('fails where the target is gone, with no half-done change', async () => {
    await owner.post(ENVIRONMENTS, { name: 'target' });
    const asked = await ask(asker, 'environment.delete', { environment: 'target' });
    expect((await owner.delete(`${ENVIRONMENTS}/target`)).status).toBe(204);
    const { body } = await approve(owner, asked.id);
    expect([body.status, body.result]).toEqual([
      'failed',
      { error: 'environment: There is no such environment.' },
    ]);
  });

  it('fails where another thing has taken the name of the target', async () => {
    await owner.post(ENVIRONMENTS, { name: 'staging' });
    const asked = await ask(asker, 'environment.delete', { environment: 'staging' });
    await owner.patch(`${ENVIRONMENTS}/staging`, { name: 'staging-old' });
    await owner.post(ENVIRONMENTS, { name: 'staging' });
    const { body } = await approve(owner, asked.id);
    expect([body.status, body.result.error]).toEqual(['failed', expect.stringContaining('has changed')]);
    expect((await owner.get(`${ENVIRONMENTS}/staging`)).status).toBe(200);
    expect((await owner.get(`${ENVIRONMENTS}/staging-old`)).status).toBe(200);
  });

  it('fails where the environment that it was asked for in is gone', async () => {
    await owner.post(ENVIRONMENTS, { name: 'elsewhere' });
    const there = client({ token: member.token, workspace: ws.slug, environment: 'elsewhere' });
    const asked = await request(there);
    expect((await owner.delete(`${ENVIRONMENTS}/elsewhere`)).status).toBe(204);
    const { body } = await approve(owner, asked.id);
    expect([body.status, body.result.error]).toEqual(['failed', expect.stringContaining('environment')]);
    expect(await exists(asked)).toBe(false);
  });

  it('fails where the state does not allow it, and undoes what was begun', async () => {
    const asked = await ask(asker, 'environment.delete', { environment: 'production' });
    const { body } = await approve(owner, asked.id);
    expect([body.status, body.result.error]).toEqual(['failed', expect.stringContaining('default')]);
    const before = (await owner.get(`${ENVIRONMENTS}/production`)).body;
    const taken = await ask(asker, 'environment.update', {
      environment: `made-1`,
      name: 'production',
      isDefault: true,
    });
    const { body: failed } = await approve(owner, taken.id);
    expect([failed.status, failed.result.error]).toEqual(['failed', expect.stringContaining('already')]);
    const { usage: _, ...after } = (await owner.get(`${ENVIRONMENTS}/production`)).body;
    const { usage: __, ...expected } = before;
    expect(after).toEqual(expected);
  });

  it("stays pending where something breaks that is nobody's answer", async () => {
    const asked = await request();
    const name = asked.input.name as string;
    await lockingBriefly(
      `CREATE FUNCTION break_environments() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN RAISE EXCEPTION 'broken for a test'; END $$;
       CREATE TRIGGER break_environments BEFORE INSERT ON environments FOR EACH ROW
         WHEN (NEW.workspace_id = '${ws.id}' AND NEW.name = '${name}') EXECUTE FUNCTION break_environments()`,
    );
    try {
      const { status, body } = await approve(owner, asked.id);
      expect([status, body.error.code]).toEqual([500, 'internal_error']);
      expect(body.error.message).not.toContain('broken');
    } finally {
      await lockingBriefly(
        'DROP TRIGGER break_environments ON environments; DROP FUNCTION break_environments()',
      );
    }
    expect((await read(asker, asked.id)).status).toBe('pending');
    expect(await eventsOf(asked.id)).toHaveLength(1);
    expect(await auditOf(asked.id)).toEqual(['approval.requested']);
    expect(outcome(await approve(owner, asked.id))).toBe('completed');
  });
});

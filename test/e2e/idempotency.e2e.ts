import { randomBytes } from 'node:crypto';

import { beforeAll, describe, expect, it } from 'vitest';

import type { Answer, Client, TestWorkspace } from '../../libs/testing/index.js';
import { client, database, newWorkspace } from '../support/gatehouse.js';
import { send } from '../support/raw-http.js';

const ENVIRONMENTS = '/v1/workspace/environments';

let workspace: TestWorkspace;
let api: Client;

beforeAll(async () => {
  workspace = await newWorkspace();
  api = client({ token: workspace.owner.token, workspace: workspace.slug });
});

const fresh = (prefix: string): string => `${prefix}-${randomBytes(5).toString('hex')}`;
const withKey = (key: string): Record<string, string> => ({ 'idempotency-key': key });
const replayed = (answer: Answer): boolean => answer.headers.get('idempotent-replayed') === 'true';

async function rowOf(
  key: string,
): Promise<{ state: string; body: Buffer | null; status: number | null } | undefined> {
  const { rows } = await database().query('SELECT state, body, status FROM idempotency_keys WHERE key = $1', [
    key,
  ]);
  return rows[0] as { state: string; body: Buffer | null; status: number | null } | undefined;
}

/** Holds what making an environment needs (the workspace's row), until the returned function lets go. */
async function holdWorkspace(): Promise<{ pid: number; release: () => Promise<void> }> {
  const holder = await database().connect();
  await holder.query('BEGIN');
  const { rows } = await holder.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  await holder.query('SELECT FROM workspaces WHERE id = $1 FOR UPDATE', [workspace.id]);
  const release = async (): Promise<void> => {
    await holder.query('ROLLBACK');
    holder.release();
  };
  return { pid: rows[0]!.pid, release };
}

/** The server process of the one statement that waits for whoever holds the workspace; other tests' wait for others. */
async function waitingBackend(holder: number): Promise<number> {
  for (;;) {
    const { rows } = await database().query<{ pid: number }>(
      'SELECT pid FROM pg_stat_activity WHERE $1 = ANY(pg_blocking_pids(pid))',
      [holder],
    );
    if (rows[0]) return rows[0].pid;
    await new Promise((done) => setTimeout(done, 10));
  }
}

describe('a request with an Idempotency-Key that is sent again', () => {
  it('acts once and gets the first response', async () => {
    const key = fresh('once');
    const name = fresh('env');
    const first = await api.post(ENVIRONMENTS, { name }, withKey(key));
    const second = await api.post(ENVIRONMENTS, { name }, withKey(key));
    expect([first.status, second.status]).toEqual([201, 201]);
    expect([replayed(first), replayed(second)]).toEqual([false, true]);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    const list = await api.get(`${ENVIRONMENTS}?limit=100`);
    expect(list.body.items.filter((item: { name: string }) => item.name === name)).toHaveLength(1);
  });

  it('gets a response without a body again, too', async () => {
    const made = await api.post(ENVIRONMENTS, { name: fresh('env') });
    const key = withKey(fresh('delete'));
    const first = await api.delete(`${ENVIRONMENTS}/${made.body.id}`, key);
    const second = await api.delete(`${ENVIRONMENTS}/${made.body.id}`, key);
    expect([first.status, second.status]).toEqual([204, 204]);
    expect(second.text).toBe('');
    expect(replayed(second)).toBe(true);
  });

  it('is kept for PATCH as well, and without effect on GET', async () => {
    const made = await api.post(ENVIRONMENTS, { name: fresh('env') });
    const path = `${ENVIRONMENTS}/${made.body.id}`;
    const key = withKey(fresh('patch'));
    await api.patch(path, { approvalPolicy: 'always' }, key);
    await api.patch(path, { approvalPolicy: 'none' });
    expect(replayed(await api.patch(path, { approvalPolicy: 'always' }, key))).toBe(true);
    const now = await api.get(path, key);
    expect(now.body.approvalPolicy).toBe('none');
    expect(replayed(now)).toBe(false);
  });

  it('gets 404 and 409 again, even when the state would allow it by now', async () => {
    const name = fresh('later');
    const missing = withKey(fresh('404'));
    expect((await api.patch(`${ENVIRONMENTS}/${name}`, { agentsAllowed: false }, missing)).status).toBe(404);
    const made = await api.post(ENVIRONMENTS, { name });
    const again = await api.patch(`${ENVIRONMENTS}/${name}`, { agentsAllowed: false }, missing);
    expect([again.status, again.body.error.code, replayed(again)]).toEqual([404, 'not_found', true]);
    expect(again.body.error.requestId).toBe(again.headers.get('x-request-id'));

    const duplicate = withKey(fresh('409'));
    const conflict = await api.post(ENVIRONMENTS, { name }, duplicate);
    expect(conflict.status).toBe(409);
    await api.delete(`${ENVIRONMENTS}/${made.body.id}`);
    const same = await api.post(ENVIRONMENTS, { name }, duplicate);
    expect([same.status, same.body.error.message, replayed(same)]).toEqual([
      409,
      conflict.body.error.message,
      true,
    ]);
  });

  it('is carried out anew after 24 hours', async () => {
    const key = fresh('old');
    await api.post(ENVIRONMENTS, { name: fresh('env') }, withKey(key));
    await database().query(
      `UPDATE idempotency_keys SET created_at = now() - interval '25 hours' WHERE key = $1`,
      [key],
    );
    const answer = await api.post(ENVIRONMENTS, { name: fresh('env') }, withKey(key));
    expect([answer.status, replayed(answer)]).toEqual([201, false]);
  });

  it('is carried out when the process that had begun it is no more', async () => {
    const key = fresh('orphan');
    const name = fresh('env');
    await api.post(ENVIRONMENTS, { name }, withKey(key));
    await api.delete(`${ENVIRONMENTS}/${name}`);
    const left = `UPDATE idempotency_keys SET state = 'started', instance_id = 'ins_gone', status = NULL, body = NULL`;
    await database().query(`${left} WHERE key = $1`, [key]);
    const answer = await api.post(ENVIRONMENTS, { name }, withKey(key));
    expect([answer.status, replayed(answer)]).toEqual([201, false]);
  });
});

describe('a key that a request left behind in a living process', () => {
  it('is released within a minute, and one that a request holds is not', async () => {
    const [key, name] = [fresh('left'), fresh('env')];
    await api.post(ENVIRONMENTS, { name }, withKey(key));
    await api.delete(`${ENVIRONMENTS}/${name}`);
    // As where neither the response nor the release could be written.
    const left = `UPDATE idempotency_keys SET state = 'started', status = NULL, body = NULL`;
    await database().query(`${left} WHERE key = $1`, [key]);
    expect((await api.post(ENVIRONMENTS, { name }, withKey(key))).body.error.code).toBe(
      'idempotency_in_progress',
    );

    const busy = fresh('busy');
    const { pid, release } = await holdWorkspace();
    const going = api.post(ENVIRONMENTS, { name: busy }, withKey(busy));
    await waitingBackend(pid);
    await database().query(
      `UPDATE idempotency_keys SET created_at = now() - interval '31 s' WHERE key = ANY ($1)`,
      [[key, busy]],
    );
    await expect.poll(() => rowOf(key)).toBeUndefined();
    expect(await rowOf(busy)).toMatchObject({ state: 'started' });
    await release();
    expect((await going).status).toBe(201);
    const answer = await api.post(ENVIRONMENTS, { name }, withKey(key));
    expect([answer.status, replayed(answer)]).toEqual([201, false]);
  });
});

describe('the same key for another request', () => {
  it('is a 422 when body, query, path, method, workspace or environment differ', async () => {
    const key = withKey(fresh('mismatch'));
    const name = fresh('env');
    const made = await api.post(ENVIRONMENTS, { name }, key);
    const path = `${ENVIRONMENTS}/${made.body.id}`;
    for (const answer of [
      await api.post(ENVIRONMENTS, { name: fresh('other') }, key),
      await api.post(ENVIRONMENTS, `{"name": "${name}" }`, key),
      await api.patch(path, { name }, key),
      await api.delete(path, key),
      await api.post(ENVIRONMENTS, { name }, { ...key, 'x-environment': 'production' }),
    ]) {
      expect([answer.status, answer.body.error.code]).toEqual([422, 'idempotency_mismatch']);
    }
    expect((await api.get(path)).status).toBe(200);
  });

  it('of another credential is another key', async () => {
    const key = withKey(fresh('shared'));
    const admin = await workspace.person('admin');
    const other = client({ token: admin.token, workspace: workspace.slug });
    const answers = [
      await api.post(ENVIRONMENTS, { name: fresh('env') }, key),
      await other.post(ENVIRONMENTS, { name: fresh('env') }, key),
    ];
    expect(answers.map((answer) => [answer.status, replayed(answer)])).toEqual([
      [201, false],
      [201, false],
    ]);
  });
});

describe('while the first request is going on', () => {
  it('is a 409 with Retry-After, and the response once it is there', async () => {
    const key = fresh('busy');
    const name = fresh('env');
    const { pid, release } = await holdWorkspace();
    const first = api.post(ENVIRONMENTS, { name }, withKey(key));
    await waitingBackend(pid);
    const second = await api.post(ENVIRONMENTS, { name }, withKey(key));
    const other = await api.post(ENVIRONMENTS, { name: 'other' }, withKey(key));
    await release();
    expect([second.status, second.body.error.code]).toEqual([409, 'idempotency_in_progress']);
    expect(second.headers.get('retry-after')).toBe('1');
    expect(other.status).toBe(422);
    expect((await first).status).toBe(201);
    const third = await api.post(ENVIRONMENTS, { name }, withKey(key));
    expect([third.status, replayed(third), third.body]).toEqual([201, true, (await first).body]);
  });

  it('acts once, however many arrive at once', async () => {
    const key = withKey(fresh('burst'));
    const name = fresh('env');
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => api.post(ENVIRONMENTS, { name }, key)),
    );
    const made = answers.filter((answer) => answer.status === 201);
    expect(made.filter((answer) => !replayed(answer))).toHaveLength(1);
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(1);
    for (const answer of answers) expect([201, 409]).toContain(answer.status);
  });

  it('is not kept when the database breaks off: 503, and it can be sent again', async () => {
    const key = withKey(fresh('broken'));
    const name = fresh('env');
    const { pid, release } = await holdWorkspace();
    const first = api.post(ENVIRONMENTS, { name }, key);
    await database().query('SELECT pg_terminate_backend($1)', [await waitingBackend(pid)]);
    const broken = await first;
    await release();
    expect([broken.status, broken.body.error.code]).toEqual([503, 'unavailable']);
    expect(Number(broken.headers.get('retry-after'))).toBeGreaterThan(0);
    const again = await api.post(ENVIRONMENTS, { name }, key);
    expect([again.status, replayed(again)]).toEqual([201, false]);
  });
});

describe('what is not kept', () => {
  it('is a 400: corrected, the request may use the same key', async () => {
    const key = fresh('400');
    expect((await api.post(ENVIRONMENTS, { name: '' }, withKey(key))).status).toBe(400);
    expect((await api.post(ENVIRONMENTS, '{', withKey(key))).status).toBe(400);
    expect((await api.post(ENVIRONMENTS, { name: 'x', colour: 'red' }, withKey(key))).status).toBe(400);
    expect(await rowOf(key)).toBeUndefined();
    expect((await api.post(ENVIRONMENTS, { name: fresh('env') }, withKey(key))).status).toBe(201);
  });

  it('is a 401, 403, 413 or 415', async () => {
    const key = fresh('refused');
    const token = await workspace.owner.tokenWith({ scopes: ['runs:read'] });
    const limited = client({ token, workspace: workspace.slug });
    const body = { name: fresh('env') };
    const headers = { 'content-type': 'application/json', ...withKey(key) };
    expect((await send(ENVIRONMENTS, { method: 'POST', headers, body: JSON.stringify(body) })).status).toBe(
      401,
    );
    expect((await limited.post(ENVIRONMENTS, body, withKey(key))).status).toBe(403);
    expect((await api.post(ENVIRONMENTS, { name: 'x'.repeat(1_100_000) }, withKey(key))).status).toBe(413);
    expect(
      (await api.post(ENVIRONMENTS, body, { ...withKey(key), 'content-type': 'text/plain' })).status,
    ).toBe(415);
    expect(await rowOf(key)).toBeUndefined();
  });

  it.each([
    ['empty', ''],
    ['too long', 'x'.repeat(256)],
    ['not printable', 'a\tb'],
    ['not ASCII', 'cl\xe9'],
  ])('is a key that is %s: 400 at the header', async (_, key) => {
    const answer = await api.post(ENVIRONMENTS, { name: fresh('env') }, withKey(key));
    expect(answer.status).toBe(400);
    expect(answer.body.error.details[0].path).toBe('idempotency-key');
  });

  it('is checked on every change, also where it does not count', async () => {
    for (const [method, path] of [
      ['POST', '/v1/auth/login'],
      ['POST', '/v1/auth/forgot'],
      ['POST', '/v1/auth/reset'],
      ['POST', '/v1/invitations/x/decline'],
      ['POST', '/v1/files?name=x'],
      ['PUT', '/v1/workspace/secrets/A'],
      ['PATCH', `${ENVIRONMENTS}/production`],
      ['DELETE', `${ENVIRONMENTS}/production`],
    ] as const) {
      for (const key of ['x'.repeat(256), 'a\tb', '']) {
        const { status, body } = await send(path, {
          method,
          headers: {
            authorization: `Bearer ${workspace.owner.token}`,
            'x-workspace': workspace.slug,
            'content-type': 'application/json',
            'idempotency-key': key,
          },
          ...(method !== 'DELETE' && { body: '{}' }),
        });
        const place = body?.error?.details?.[0]?.path;
        expect([method, path, status, place]).toEqual([method, path, 400, 'idempotency-key']);
      }
    }
  });

  it('may be 255 characters long', async () => {
    const key = fresh('long').padEnd(255, '~');
    expect((await api.post(ENVIRONMENTS, { name: fresh('env') }, withKey(key))).status).toBe(201);
  });
});

describe('a response that holds a secret', () => {
  it('comes again, and lies encrypted in the database', async () => {
    const key = fresh('secret');
    const person = client({ cookie: workspace.owner.cookie });
    const input = { name: 'again', scopes: ['runs:read'] };
    const first = await person.post('/v1/account/tokens', input, withKey(key));
    const second = await person.post('/v1/account/tokens', input, withKey(key));
    expect(first.body.token).toMatch(/^svc_pat_/);
    expect([second.status, second.body, replayed(second)]).toEqual([201, first.body, true]);

    const row = await rowOf(key);
    expect(row).toMatchObject({ state: 'responded', status: 201 });
    const stored = row!.body!.toString('latin1');
    expect(stored).not.toContain(first.body.token);
    expect(stored).not.toContain(first.body.token.slice(8, 20));
    expect(stored).not.toContain('again');
  });
});

import { randomUUID } from 'node:crypto';

import { startGatehouse, type TestGatehouse } from '@gatehouse/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createClient } from '../../libs/testing/index.js';
import { Directory } from '../support/directory.js';
import { baseUrl } from '../support/gatehouse.js';
import { expectAnswersDuring } from './support/answers-during.js';

const TOKENS = { acme: 'a-token-of-the-directory-of-acme', other: 'a-token-of-the-directory-of-other' };
const ROUTES = [
  ['GET', 'ServiceProviderConfig'],
  ['GET', 'ResourceTypes'],
  ['GET', 'ResourceTypes/User'],
  ['GET', 'Schemas'],
  ['GET', 'Schemas/urn:ietf:params:scim:schemas:core:2.0:User'],
  ['GET', 'Users'],
  ['POST', 'Users'],
  ['GET', 'Users/{}'],
  ['PUT', 'Users/{}'],
  ['PATCH', 'Users/{}'],
  ['DELETE', 'Users/{}'],
  ['GET', 'Groups'],
  ['POST', 'Groups'],
  ['GET', 'Groups/{}'],
  ['PUT', 'Groups/{}'],
  ['PATCH', 'Groups/{}'],
  ['DELETE', 'Groups/{}'],
] as const;

describe('the interface for directories', () => {
  let gatehouse: TestGatehouse;
  let acme: Directory;
  let other: Directory;

  beforeAll(async () => {
    const env: Record<string, string> = {
      GATEHOUSE_OIDC: 'acme,other',
      GATEHOUSE_TRUST_PROXY: '127.0.0.1',
      GATEHOUSE_RATE_LIMIT: '100000',
      GATEHOUSE_RATE_BURST: '100000',
    };
    for (const name of ['acme', 'other'] as const) {
      const settings = {
        ISSUER: `https://login.${name}.example`,
        CLIENT_ID: 'gatehouse',
        DOMAINS: 'acme.example',
        ROLES: 'admins=acme:admin',
        SCIM_TOKEN: TOKENS[name],
      };
      for (const [key, value] of Object.entries(settings))
        env[`GATEHOUSE_OIDC_${name.toUpperCase()}_${key}`] = value;
    }
    gatehouse = await startGatehouse({ env });
    await gatehouse.api.as(gatehouse.workspace.owner).post('/v1/workspaces', { name: 'Acme', slug: 'acme' });
    acme = new Directory(gatehouse.baseUrl, TOKENS.acme);
    other = new Directory(gatehouse.baseUrl, TOKENS.other);
  });

  afterAll(() => gatehouse?.stop());

  /** The group whose members are admins. */
  async function admins(): Promise<string> {
    const { body } = await acme.find('Groups', 'displayName eq "admins"');
    return (body.Resources[0]?.id as string | undefined) ?? acme.group('admins');
  }

  /** So many people of the directory of acme, as members of a group. */
  async function people(name: string, count: number): Promise<{ value: string }[]> {
    const { rows } = await gatehouse.database.query<{ value: string }>(
      `WITH made AS (
         INSERT INTO users (id, email, name, email_proven_at)
         SELECT 'usr_' || $1 || n, $1 || n || '@acme.example', $1, now() FROM generate_series(1, $2::int) AS n RETURNING id, email)
       INSERT INTO scim_users (user_id, way, user_name, user_name_key)
       SELECT id, 'acme', email, email FROM made RETURNING user_id AS value`,
      [name, count],
    );
    return rows;
  }

  const newName = (): string => `${randomUUID()}@acme.example`;
  const send = (method: string, path: string, headers: Record<string, string>, service = gatehouse.baseUrl) =>
    fetch(`${service}/scim/v2/${path}`, {
      method,
      headers: { 'content-type': 'application/scim+json', ...headers },
      ...(method !== 'GET' && method !== 'DELETE' && { body: '{}' }),
    });
  const account = async (email: string) => {
    const { rows } = await gatehouse.database.query<{
      id: string;
      proven: boolean;
      password: boolean;
      off: boolean;
    }>(
      `SELECT id, email_proven_at IS NOT NULL AS proven, password_hash IS NOT NULL AS password, disabled_at IS NOT NULL AS off
       FROM users WHERE email = $1`,
      [email],
    );
    return rows[0]!;
  };

  it('is not there where no directory has a token', async () => {
    for (const [method, path] of ROUTES) {
      const headers = { authorization: `Bearer ${TOKENS.acme}` };
      const { status } = await send(method, path.replace('{}', 'usr_x'), headers, baseUrl());
      expect(status, `${method} ${path}`).toBe(404);
    }
  });

  it("takes a directory's token, and that of nobody else", async () => {
    const { workspace } = gatehouse;
    const admin = await workspace.person('admin');
    const id = await acme.person(newName());
    const credentials: Record<string, Record<string, string>> = {
      none: {},
      empty: { authorization: 'Bearer ' },
      'without its kind': { authorization: TOKENS.acme },
      basic: { authorization: `Basic ${Buffer.from(`x:${TOKENS.acme}`).toString('base64')}` },
      'the beginning of it': { authorization: `Bearer ${TOKENS.acme.slice(0, -1)}` },
      'more than it': { authorization: `Bearer ${TOKENS.acme}x` },
      'both of them': { authorization: `Bearer ${TOKENS.acme},${TOKENS.other}` },
      'in the address': {},
      'an owner in the app': { cookie: workspace.owner.cookie, 'x-workspace': workspace.slug },
      'an owner by token': {
        authorization: `Bearer ${workspace.owner.token}`,
        'x-workspace': workspace.slug,
      },
      'an admin by token': { authorization: `Bearer ${admin.token}`, 'x-workspace': workspace.slug },
      'an API key': { authorization: `Bearer ${await workspace.apiKey()}` },
    };
    let place = 0;
    for (const [who, headers] of Object.entries(credentials)) {
      for (const [method, path] of ROUTES) {
        const query = who === 'in the address' ? `?access_token=${TOKENS.acme}` : '';
        const from = { 'x-forwarded-for': `10.1.${Math.floor(place / 40)}.1` };
        place += 1;
        const answer = await send(method, `${path.replace('{}', id)}${query}`, { ...headers, ...from });
        expect(answer.status, `${who}: ${method} ${path}`).toBe(401);
        expect(answer.headers.get('www-authenticate')).toBe('Bearer');
        expect(await answer.json()).toMatchObject({
          status: '401',
          schemas: [expect.stringContaining('Error')],
        });
      }
    }
    expect((await acme.get(`Users/${id}`)).body.active).toBe(true);
  });

  it('takes no more guesses of its token than of any other', async () => {
    const from = { authorization: `Bearer ${'x'.repeat(32)}`, 'x-forwarded-for': '10.9.9.9' };
    const statuses = new Set<number>();
    // One more is given back each second.
    while (!statuses.has(429)) {
      const answers = await Promise.all(Array.from({ length: 10 }, () => send('GET', 'Users', from)));
      for (const { status } of answers) statuses.add(status);
    }
    expect([...statuses]).toEqual([401, 429]);
    const right = { authorization: `Bearer ${TOKENS.acme}`, 'x-forwarded-for': '10.9.9.9' };
    expect((await send('GET', 'Users', right)).status).toBe(200);
  });

  it('has its own limit of requests for each directory', async () => {
    const limited = await startGatehouse({
      env: {
        GATEHOUSE_OIDC_ISSUER: 'https://login.acme.example',
        GATEHOUSE_OIDC_CLIENT_ID: 'gatehouse',
        GATEHOUSE_OIDC_DOMAINS: 'acme.example',
        GATEHOUSE_OIDC_SCIM_TOKEN: TOKENS.acme,
        GATEHOUSE_RATE_LIMIT: '6',
        GATEHOUSE_RATE_BURST: '3',
      },
    });
    try {
      const directory = new Directory(limited.baseUrl, TOKENS.acme);
      const answers = [];
      for (let tries = 0; tries < 5; tries++) answers.push(await directory.get('Users'));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
      expect(answers[3]!.headers.get('retry-after')).toMatch(/^\d+$/);
      expect(answers[3]!.body).toMatchObject({ status: '429' });
    } finally {
      await limited.stop();
    }
  });

  it("shows a directory nothing of another one's", async () => {
    const userName = newName();
    const id = await acme.person(userName);
    const group = await acme.group(`group ${id}`, [id]);
    const change = { op: 'replace', path: 'active', value: false };
    const tries = [
      other.get(`Users/${id}`),
      other.put(`Users/${id}`, { userName, active: false }),
      other.patch(`Users/${id}`, change),
      other.delete(`Users/${id}`),
      other.get(`Groups/${group}`),
      other.put(`Groups/${group}`, { displayName: 'x' }),
      other.patch(`Groups/${group}`, { op: 'remove', path: 'members' }),
      other.delete(`Groups/${group}`),
    ];
    expect((await Promise.all(tries)).map(({ status }) => status)).toEqual(tries.map(() => 404));
    expect((await other.find('Users', `userName eq "${userName}"`)).body.totalResults).toBe(0);
    expect((await other.find('Groups', `members eq "${id}"`)).body.totalResults).toBe(0);
    expect((await other.post('Groups', { displayName: 'admins', members: [{ value: id }] })).status).toBe(
      400,
    );
    // Nor does it take the account over.
    expect((await other.post('Users', { userName })).status).toBe(409);
    expect((await acme.get(`Users/${id}`)).body.active).toBe(true);
    expect((await acme.get(`Groups/${group}`)).body.members).toHaveLength(1);
  });

  it('manages nobody of another domain', async () => {
    const { email } = gatehouse.workspace.owner;
    for (const user of [
      { userName: email },
      { userName: 'eve@evil.example' },
      { userName: 'eve@acme.example.evil.example' },
      { userName: 'eve@notacme.example' },
      { userName: 'eve', emails: [{ value: email, primary: true }] },
      { userName: `"${email}"@acme.example` },
    ]) {
      const { status, body } = await acme.post('Users', user);
      expect([status, body.scimType], user.userName).toEqual([400, 'invalidValue']);
    }
    const id = await acme.person(newName());
    const moved = await acme.patch(`Users/${id}`, { op: 'replace', path: 'userName', value: email });
    expect(moved.status).toBe(400);
    // Nobody is kept in by such a name.
    const out = await acme.put(`Users/${id}`, { userName: 'gone', active: false });
    expect([out.status, out.body.active]).toEqual([200, false]);
  });

  it("ends what opened an account whose address nobody had proved, before it has the company's roles", async () => {
    const { api, workspace } = gatehouse;
    const email = newName();
    const inviter = api.as(await workspace.person('admin'));
    const { link } = (await inviter.post('/v1/workspace/invitations', { email, role: 'member' })).body;
    const token = new URL(link as string).pathname.split('/').at(-1)!;
    const password = 'a password of the inviter';
    const accepted = await api.post(`/v1/invitations/${token}/accept`, { name: 'Boss', password });
    expect(accepted.status, accepted.text).toBe(200);
    const cookie = accepted.headers.get('set-cookie')!.split(';')[0]!;
    const intruder = createClient({ baseUrl: gatehouse.baseUrl, cookie, workspace: workspace.slug });
    expect((await intruder.get('/v1/workspace')).status).toBe(200);

    const id = await acme.person(email);
    await acme.group('admins', [id]);
    expect((await intruder.get('/v1/workspace')).status).toBe(401);
    expect((await api.post('/v1/auth/login', { email, password })).status).toBe(401);
    expect(await account(email)).toEqual({ id, proven: true, password: false, off: false });
    const { rows } = await gatehouse.database.query(
      `SELECT details FROM audit_events WHERE target_id = $1 AND action = 'user.credentials_ended' AND actor_type = 'system'`,
      [id],
    );
    expect(rows).toEqual([
      { details: expect.objectContaining({ by: 'acme', password: true, sessions: 1 }) as object },
    ]);
  });

  it('leaves somebody who had proved their address what they have', async () => {
    const person = await gatehouse.workspace.person('member');
    const email = newName();
    await gatehouse.database.query('UPDATE users SET email = $2 WHERE id = $1', [person.id, email]);
    expect(await acme.person(email)).toBe(person.id);
    expect((await gatehouse.api.as(person).get('/v1/workspace')).status).toBe(200);
    expect(await account(email)).toMatchObject({ password: true });
  });

  it('does not let in whom the operator has shut out', async () => {
    const email = newName();
    const id = await acme.person(email);
    await gatehouse.database.query('UPDATE users SET disabled_at = now() WHERE id = $1', [id]);
    await acme.patch(`Users/${id}`, { op: 'replace', value: { active: false } });
    await acme.patch(`Users/${id}`, { op: 'replace', value: { active: true } });
    await acme.group(`for ${id}`, [id]);
    await acme.delete(`Users/${id}`);
    expect(await acme.person(email)).toBe(id);
    expect(await account(email)).toMatchObject({ off: true });
    const { rows } = await gatehouse.database.query('SELECT FROM memberships WHERE user_id = $1', [id]);
    expect(rows).toEqual([]);
  });

  it('shuts out again whom the operator has let in since', async () => {
    const ends = [
      (id: string) => acme.patch(`Users/${id}`, { op: 'replace', value: { active: false } }),
      (id: string) => acme.delete(`Users/${id}`),
    ];
    for (const end of ends) {
      const email = newName();
      const id = await acme.person(email);
      await acme.patch(`Users/${id}`, { op: 'replace', value: { active: false } });
      await gatehouse.database.query('UPDATE users SET disabled_at = NULL WHERE id = $1', [id]);
      await end(id);
      expect(await account(email)).toMatchObject({ off: true });
    }
  });

  it('lets nobody in who is shut out at the same moment', async () => {
    const group = await admins();
    for (let round = 0; round < 10; round++) {
      const id = await acme.person(newName());
      const answers = await Promise.all([
        acme.patch(`Groups/${group}`, { op: 'Add', path: 'members', value: [{ value: id }] }),
        acme.patch(`Users/${id}`, { op: 'Replace', path: 'active', value: 'False' }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([204, 200]);
      const { rows } = await gatehouse.database.query('SELECT FROM memberships WHERE user_id = $1', [id]);
      expect(rows).toEqual([]);
    }
  });

  it('lets nobody join who, or whose group, is deleted at the same moment', async () => {
    const stays = await acme.group(`stays ${randomUUID()}`);
    for (let round = 0; round < 10; round++) {
      const id = await acme.person(newName());
      const goes = await acme.group(`goes ${randomUUID()}`);
      const join = { op: 'Add', path: 'members', value: [{ value: id }] };
      const [joined, deleted] = await Promise.all([
        acme.patch(`Groups/${goes}`, join),
        acme.delete(`Groups/${goes}`),
      ]);
      expect([[204, 404], deleted.status]).toEqual([expect.arrayContaining([joined.status]), 204]);
      const [late] = await Promise.all([acme.patch(`Groups/${stays}`, join), acme.delete(`Users/${id}`)]);
      expect([204, 400]).toContain(late.status);
      const { rows } = await gatehouse.database.query('SELECT FROM scim_group_members WHERE user_id = $1', [
        id,
      ]);
      expect(rows).toEqual([]);
    }
  });

  it('makes one account of a person who is told of twice at once', async () => {
    const userName = newName();
    const answers = await Promise.all([1, 2, 3].map(() => acme.post('Users', { userName })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect((await acme.find('Users', `userName eq "${userName}"`)).body.totalResults).toBe(1);
  });

  it('renames nobody to an address that another account has', async () => {
    const [one, two] = [newName(), newName()];
    const id = await acme.person(one);
    await acme.person(two);
    const taken = await acme.patch(`Users/${id}`, { op: 'replace', path: 'userName', value: two });
    expect([taken.status, taken.body.scimType]).toEqual([409, 'uniqueness']);
    expect((await account(one)).id).toBe(id);
    // Nor a group to a name that gives roles and is another one's.
    const [group] = [await acme.group(`mine ${id}`, [id])];
    await admins();
    const renamed = await acme.patch(`Groups/${group}`, {
      op: 'replace',
      path: 'displayName',
      value: 'admins',
    });
    expect([renamed.status, renamed.body.scimType]).toEqual([409, 'uniqueness']);
    const { rows } = await gatehouse.database.query('SELECT FROM memberships WHERE user_id = $1', [id]);
    expect(rows).toEqual([]);
  });

  describe('is bounded', () => {
    const patchType = async (type: string) =>
      acme.patch(`Users/${await acme.person(newName())}`, {
        op: 'add',
        path: `emails[type eq "${type}"].value`,
        value: newName(),
      });

    it.each<[string, () => Promise<{ status: number }>, number]>([
      ['a huge filter', () => acme.find('Users', `userName eq "${'x'.repeat(10_000)}"`), 400],
      ['a filter that never closes', () => acme.find('Users', `userName eq "${'\n'.repeat(1_900)}`), 400],
      ['a filter of many', () => acme.find('Users', Array(500).fill('id eq "a"').join(' and ')), 400],
      ['brackets in brackets', () => acme.find('Users', 'a['.repeat(900)), 400],
      ['a page of all', () => acme.get('Users?count=999999999'), 200],
      ['a page beyond all', () => acme.get('Users?startIndex=999999999'), 200],
      [
        'many addresses',
        () => acme.post('Users', { userName: newName(), emails: Array(500).fill({ value: 'a' }) }),
        400,
      ],
      [
        'a long name',
        () => acme.post('Users', { userName: newName(), displayName: 'x'.repeat(100_000) }),
        400,
      ],
      [
        'long addresses',
        () =>
          acme.post('Users', {
            userName: newName(),
            emails: Array(20).fill({ value: '\u4e00'.repeat(250), type: '\u4e00'.repeat(250) }),
          }),
        400,
      ],
      ['a long type in a path', () => patchType('x'.repeat(1_000)), 400],
      ['a type of control characters in a path', () => patchType('\\u0000'), 400],
      [
        'many operations',
        () => acme.patch('Users/x', ...Array<object>(5_000).fill({ op: 'add', path: 'a', value: 1 })),
        400,
      ],
      ['a body of 2 MiB', () => acme.post('Users', { userName: 'x'.repeat(2_097_152) }), 413],
      ['a list for a body', () => acme.put('Users/x', []), 400],
      [
        'a member who is an object',
        () => acme.post('Groups', { displayName: newName(), members: [{ value: {} }] }),
        400,
      ],
      [
        'members of members',
        () => acme.post('Groups', { displayName: newName(), members: { members: {} } }),
        400,
      ],
      [
        'a member that is itself',
        () => acme.patch('Groups/x', { op: 'add', path: 'members[members[value eq "a"]]' }),
        400,
      ],
      [
        'a prototype',
        () => acme.post('Users', JSON.parse('{"userName":"x","__proto__":{"active":true}}') as object),
        400,
      ],
    ])('in %s', async (_, ask, status) => {
      expect((await ask()).status).toBe(status);
    });

    it('in the members of a change', async () => {
      const members = (count: number) => Array.from({ length: count }, (_, at) => ({ value: `usr_${at}` }));
      const group = await acme.group(`bounded ${randomUUID()}`);
      const add = (count: number) =>
        acme.patch(`Groups/${group}`, { op: 'Add', path: 'members', value: members(count) });
      expect((await add(10_001)).status).toBe(413);
      expect((await acme.put(`Groups/${group}`, { displayName: 'x', members: members(10_001) })).status).toBe(
        413,
      );
      const unknown = await add(10_000);
      expect([unknown.status, unknown.body.scimType]).toEqual([400, 'invalidValue']);
      const gone = { op: 'Remove', path: 'members', value: members(10_000) };
      expect((await acme.patch(`Groups/${group}`, gone)).status).toBe(204);
      expect((await acme.get(`Groups/${group}`)).body.members).toEqual([]);
    });

    it('in what one change of 10,000 people holds up', { tags: 'slow' }, async () => {
      const value = await people('many', 10_000);
      const group = await acme.group(`many ${randomUUID()}`);
      const changed = acme.patch(`Groups/${group}`, { op: 'Add', path: 'members', value });
      await expectAnswersDuring(changed, () => gatehouse.api.get('/health/live'));
      expect((await changed).status).toBe(204);
      expect((await acme.get(`Groups/${group}`)).body.members).toHaveLength(10_000);
      expect((await acme.find('Groups', `members eq "usr_many1"`)).body.totalResults).toBe(1);
    });

    it('in how long it holds a workspace whose members it changes', { tags: 'slow' }, async () => {
      const few = 400;
      const id = await admins();
      const value = await people('few', few);
      const owner = gatehouse.api.as(gatehouse.workspace.owner, { slug: 'acme' });
      const joined = acme.patch(`Groups/${id}`, { op: 'Add', path: 'members', value });
      let isDone = false;
      let invited = 0;
      void joined.finally(() => (isDone = true));
      for (; !isDone; invited += 1) {
        const { status } = await owner.post('/v1/workspace/invitations', { email: newName(), role: 'guest' });
        expect(status).toBe(201);
      }
      expect((await joined).status).toBe(204);
      expect(invited).toBeGreaterThan(1);
      const joinedAsAdmins = `SELECT count(*)::int AS admins FROM memberships WHERE user_id LIKE 'usr_few%' AND role = 'admin'`;
      expect((await gatehouse.database.query(joinedAsAdmins)).rows).toEqual([{ admins: few }]);
      const all = { op: 'Remove', path: 'members' };
      expect((await acme.patch(`Groups/${id}`, all)).status).toBe(204);
      expect((await gatehouse.database.query(joinedAsAdmins)).rows).toEqual([{ admins: 0 }]);
    });
  });

  it('says its token nowhere', async () => {
    const answers = await Promise.all([
      acme.get('ServiceProviderConfig'),
      acme.get('Users'),
      acme.get('Users/x'),
    ]);
    for (const { text } of answers) expect(text).not.toContain(TOKENS.acme);
    const { rows } = await gatehouse.database.query(
      `SELECT FROM audit_events WHERE details::text LIKE '%' || $1 || '%'`,
      [TOKENS.acme],
    );
    expect(rows).toEqual([]);
  });
});

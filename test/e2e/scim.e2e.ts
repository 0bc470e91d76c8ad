import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startGatehouse, type TestGatehouse } from '@gatehouse/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Client, Json } from '../../libs/testing/index.js';
import { runAdmin } from '../support/admin.js';
import { Directory } from '../support/directory.js';
import { connect } from '../support/oauth.js';
import { python } from '../support/scripts.js';
import { SHAPES, ShapedProvider } from '../support/shaped-provider.js';
import { Visitor } from '../support/visitor.js';

const KINDS = ['entra', 'okta'] as const;
type Kind = (typeof KINDS)[number];

const DOMAIN = 'acme.example';
/** What Entra calls groups: its tokens and its SCIM say the same. */
const ADMINS = '4b6b3f0e-1111-4222-8333-abcdefabcdef';
const OWLS = '4b6b3f0e-2222-4222-8333-abcdefabcdef';
const TOKENS: Record<Kind, string> = {
  entra: 'a-token-of-the-directory-of-entra',
  okta: 'a-token-of-the-directory-of-okta-',
};
const SETTINGS: Record<Kind, Record<string, string>> = {
  entra: { KIND: 'entra', ROLES: `${ADMINS}=acme:admin;${OWLS}=night:member` },
  okta: {
    SCOPES: 'openid email profile groups',
    ROLES: 'Gatehouse Admins=acme:admin;Everyone=acme:member',
    TEAMS: 'Support=acme:Support',
  },
};

describe('a directory of a company', () => {
  const providers = {} as Record<Kind, ShapedProvider>;
  const directories = {} as Record<Kind, Directory>;
  let gatehouse: TestGatehouse;

  beforeAll(async () => {
    const env: Record<string, string> = {
      GATEHOUSE_OIDC: KINDS.join(','),
      GATEHOUSE_OUTBOUND_ALLOW: '127.0.0.1',
      GATEHOUSE_RATE_LIMIT: '0',
    };
    for (const kind of KINDS) {
      providers[kind] = await new ShapedProvider(SHAPES[kind]).listen();
      const { issuer, client } = providers[kind];
      const settings = {
        ISSUER: issuer,
        CLIENT_ID: client.id,
        CLIENT_SECRET: client.secret,
        DOMAINS: DOMAIN,
        SCIM_TOKEN: TOKENS[kind],
      };
      for (const [name, value] of Object.entries({ ...settings, ...SETTINGS[kind] })) {
        env[`GATEHOUSE_OIDC_${kind.toUpperCase()}_${name}`] = value;
      }
    }
    gatehouse = await startGatehouse({ env });
    for (const kind of KINDS) {
      providers[kind].serve(`${gatehouse.baseUrl}/v1/auth/ways/${kind}/callback`);
      directories[kind] = new Directory(gatehouse.baseUrl, TOKENS[kind]);
    }
    const { api, workspace } = gatehouse;
    for (const slug of ['acme', 'night']) {
      await api.as(workspace.owner).post('/v1/workspaces', { name: slug, slug });
    }
    await inAcme().post('/v1/workspace/teams', { name: 'Support' });
  });

  afterAll(async () => {
    await gatehouse?.stop();
    for (const provider of Object.values(providers)) await provider[Symbol.asyncDispose]();
  });

  const inAcme = (who = gatehouse.workspace.owner) => gatehouse.api.as(who, { slug: 'acme' });
  const newName = (): string => `p-${randomUUID()}@${DOMAIN}`;
  const databaseUrl = () => (gatehouse.database as pg.Pool).options.connectionString!;
  const entra = () => directories.entra;
  const okta = () => directories.okta;

  const rolesOf = async (userId: string): Promise<Record<string, string>> => {
    const { rows } = await gatehouse.database.query<{ slug: string; role: string }>(
      `SELECT w.slug, m.role FROM memberships m JOIN workspaces w ON w.id = m.workspace_id WHERE m.user_id = $1 ORDER BY 1`,
      [userId],
    );
    return Object.fromEntries(rows.map(({ slug, role }) => [slug, role]));
  };
  const auditOf = async (userId: string): Promise<string[]> => {
    const { rows } = await gatehouse.database.query<{ action: string }>(
      `SELECT DISTINCT action FROM audit_events WHERE (target_id = $1 OR details ->> 'userId' = $1) AND actor_type = 'system' ORDER BY 1`,
      [userId],
    );
    return rows.map(({ action }) => action);
  };
  /** Where whoever signs in ends, and as whom. */
  const comes = async (kind: Kind, subject: string, claims: object) => {
    providers[kind].expects(subject, { name: 'Ada Lovelace', ...claims });
    const visitor = new Visitor(gatehouse.baseUrl);
    const page = await visitor.signIn(kind, { next: '/w/acme/-/scripts' });
    return { page, visitor, me: await visitor.me() };
  };

  it('is told what there is', async () => {
    const config = await entra().get('ServiceProviderConfig');
    expect(config.status).toBe(200);
    expect(config.headers.get('content-type')).toBe('application/scim+json');
    expect(config.body).toMatchObject({ patch: { supported: true }, bulk: { supported: false } });
    const types = (await entra().get('ResourceTypes')).body;
    expect(types).toMatchObject({
      totalResults: 2,
      Resources: [{ endpoint: '/Users' }, { endpoint: '/Groups' }],
    });
    const { body } = await entra().get('Schemas');
    expect(body.Resources.map(({ id }: Json) => id)).toEqual([
      'urn:ietf:params:scim:schemas:core:2.0:User',
      'urn:ietf:params:scim:schemas:core:2.0:Group',
    ]);
    for (const { meta } of [...types.Resources, ...body.Resources]) {
      const path = (meta.location as string).slice(`${gatehouse.baseUrl}/scim/v2/`.length);
      expect((await entra().get(path)).status).toBe(200);
    }
    const unknown = await entra().get('Schemas/urn:x');
    expect(unknown.status).toBe(404);
    expect(unknown.body).toEqual({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: '404',
      detail: 'There is no such schema.',
    });
  });

  describe('of Entra', () => {
    it('makes a person, finds and changes them', async () => {
      const userName = newName();
      const filter = `userName eq "${userName}"`;
      expect((await entra().find('Users', filter)).body).toMatchObject({ totalResults: 0, Resources: [] });
      const externalId = randomUUID();
      const emails = [{ primary: true, type: 'work', value: `mail.${userName}` }];
      const made = await entra().post('Users', {
        schemas: [
          'urn:ietf:params:scim:schemas:core:2.0:User',
          'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
        ],
        ...{ externalId, userName, active: true, emails },
        displayName: 'Ada Byron',
        meta: { resourceType: 'User' },
        name: { formatted: 'Ada Byron', familyName: 'Byron', givenName: 'Ada' },
        'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'Sales' },
        roles: [],
      });
      expect(made.status, made.text).toBe(201);
      const { id } = made.body;
      const location = `${gatehouse.baseUrl}/scim/v2/Users/${id}`;
      expect(made.headers.get('location')).toBe(location);
      expect(made.body).toEqual({
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
        ...{ id, externalId, userName, active: true, emails },
        displayName: 'Ada Byron',
        name: { formatted: 'Ada Byron', familyName: 'Byron', givenName: 'Ada' },
        meta: {
          resourceType: 'User',
          created: expect.any(String) as string,
          lastModified: expect.any(String) as string,
          location,
        },
      });
      for (const asked of [
        `userName eq "${userName.toUpperCase()}"`,
        `externalId eq "${externalId}"`,
        `emails[type eq "work"].value eq "mail.${userName}"`,
        `id eq "${id}" and active eq true`,
      ]) {
        const found = (await entra().find('Users', asked)).body;
        expect(found, asked).toMatchObject({
          totalResults: 1,
          startIndex: 1,
          itemsPerPage: 1,
          Resources: [{ id }],
        });
      }
      const changed = await entra().patch(
        `Users/${id}`,
        { op: 'Replace', path: 'emails[type eq "work"].value', value: `other.${userName}` },
        { op: 'Replace', path: 'name.familyName', value: 'Lovelace' },
        { op: 'Replace', path: 'displayName', value: 'Ada Lovelace' },
        {
          op: 'Add',
          path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
          value: 'x',
        },
      );
      expect(changed.status, changed.text).toBe(200);
      expect(changed.body).toMatchObject({
        emails: [{ value: `other.${userName}` }],
        name: { familyName: 'Lovelace', givenName: 'Ada' },
      });
      const account = 'SELECT email, name, email_proven_at IS NOT NULL AS proven FROM users WHERE id = $1';
      expect((await gatehouse.database.query(account, [id])).rows).toEqual([
        { email: userName, name: 'Ada Lovelace', proven: true },
      ]);
      // Another name in the directory is another address.
      const renamed = newName();
      await entra().patch(`Users/${id}`, { op: 'Replace', path: 'userName', value: renamed });
      expect((await gatehouse.database.query(account, [id])).rows).toMatchObject([{ email: renamed }]);
      expect(await auditOf(id)).toEqual(['user.created', 'user.renamed']);
      expect((await entra().get(`Users/${id}?attributes=userName`)).body).toEqual({
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
        id,
        userName: renamed,
      });
    });

    it('gives roles by groups, where a token says none as well', async () => {
      const userName = newName();
      const id = await entra().person(userName);
      expect(await rolesOf(id)).toEqual({});
      const created = await entra().post('Groups', {
        schemas: [
          'urn:ietf:params:scim:schemas:core:2.0:Group',
          'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group',
        ],
        externalId: ADMINS,
        displayName: 'Admins of acme',
        meta: { resourceType: 'Group' },
      });
      expect(created.status, created.text).toBe(201);
      const admins = created.body.id as string;
      expect(created.body.members).toEqual([]);
      const found = await entra().find(
        'Groups',
        'displayName eq "admins of acme"',
        '&excludedAttributes=members',
      );
      expect(found.body).toMatchObject({ totalResults: 1, Resources: [{ id: admins, externalId: ADMINS }] });
      expect(found.body.Resources[0]).not.toHaveProperty('members');
      const owls = await entra().group('Night Owls', [id], { externalId: OWLS });
      expect(await rolesOf(id)).toEqual({ night: 'member' });

      const member = [{ $ref: null, value: id }];
      const joined = await entra().patch(`Groups/${admins}`, { op: 'Add', path: 'members', value: member });
      expect([joined.status, joined.text]).toEqual([204, '']);
      expect(await rolesOf(id)).toEqual({ acme: 'admin', night: 'member' });
      const asked = `id eq "${admins}" and members eq "${id}"`;
      expect((await entra().find('Groups', asked)).body.totalResults).toBe(1);
      expect((await entra().get(`Groups/${admins}`)).body.members).toEqual([{ value: id, type: 'User' }]);

      // More groups than fit into a token.
      const claims = { preferred_username: userName, acct: 0, _claim_names: { groups: 'src1' } };
      const { page, me } = await comes('entra', randomUUID(), claims);
      expect([page, me.id]).toEqual(['/w/acme/-/scripts', id]);
      expect(await rolesOf(id)).toEqual({ acme: 'admin', night: 'member' });

      await entra().patch(`Groups/${admins}`, { op: 'Remove', path: 'members', value: member });
      expect(await rolesOf(id)).toEqual({ night: 'member' });
      await entra().patch(`Groups/${owls}`, { op: 'Replace', path: 'externalId', value: randomUUID() });
      expect(await rolesOf(id)).toEqual({});
      await entra().patch(`Groups/${owls}`, { op: 'Replace', path: 'externalId', value: OWLS });
      expect(await rolesOf(id)).toEqual({ night: 'member' });
      expect((await entra().delete(`Groups/${owls}`)).status).toBe(204);
      expect(await rolesOf(id)).toEqual({});
      expect((await entra().get(`Groups/${owls}`)).status).toBe(404);
      await entra().delete(`Groups/${admins}`);
    });

    it('gives nothing by the name of a group, which its owner chooses', async () => {
      const userName = newName();
      const id = await entra().person(userName);
      const mine = await entra().group(ADMINS, [id], { externalId: randomUUID() });
      expect(await rolesOf(id)).toEqual({});
      await entra().patch(`Groups/${mine}`, { op: 'Replace', path: 'displayName', value: OWLS });
      expect(await rolesOf(id)).toEqual({});
      const claims = { preferred_username: userName, acct: 0, _claim_names: { groups: 'src1' } };
      await comes('entra', randomUUID(), claims);
      expect(await rolesOf(id)).toEqual({});
      await entra().delete(`Groups/${mine}`);
    });

    it('takes nothing of what somebody has by hand by telling of a group', async () => {
      const admin = await gatehouse.workspace.person('member');
      const email = newName();
      await gatehouse.database.query('UPDATE users SET email = $2 WHERE id = $1', [admin.id, email]);
      await gatehouse.database.query(
        `INSERT INTO memberships (id, workspace_id, user_id, role)
         SELECT 'mem_' || $1, id, $1, 'admin' FROM workspaces WHERE slug = 'night'`,
        [admin.id],
      );
      const before = await rolesOf(admin.id);
      expect(await entra().person(email)).toBe(admin.id);
      expect(await auditOf(admin.id)).toContain('user.managed');
      const owls = await entra().group('Night Owls', [admin.id], { externalId: OWLS });
      expect(await rolesOf(admin.id)).toEqual(before);
      // What a sign-in would say is said when they leave.
      await entra().patch(`Groups/${owls}`, { op: 'Remove', path: `members[value eq "${admin.id}"]` });
      expect(await rolesOf(admin.id)).not.toHaveProperty('night');
      await entra().delete(`Groups/${owls}`);
    });
  });

  describe('of Okta', () => {
    it('tries the connection', async () => {
      for (const path of ['Users?startIndex=1&count=2', 'Groups?startIndex=1&count=100']) {
        const { status, body } = await okta().get(path);
        expect([status, body.schemas]).toEqual([200, ['urn:ietf:params:scim:api:messages:2.0:ListResponse']]);
      }
    });

    it('makes a person, deactivates and reactivates them by the whole', async () => {
      const userName = newName();
      const person = {
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
        userName,
        name: { givenName: 'Isaac', familyName: 'Brock' },
        emails: [{ primary: true, value: userName, type: 'work' }],
        displayName: 'Isaac Brock',
        locale: 'en-US',
        externalId: '00ujl29u0le5T6Aj10h7',
        groups: [],
        password: '1mz050nq',
        active: true,
      };
      const made = await okta().post('Users', person);
      expect(made.status, made.text).toBe(201);
      expect(made.text).not.toContain(person.password);
      const { id } = made.body;
      const password = 'SELECT password_hash FROM users WHERE id = $1';
      expect((await gatehouse.database.query(password, [id])).rows).toEqual([{ password_hash: null }]);
      const everyone = await okta().group('Everyone', [id]);
      expect(await rolesOf(id)).toEqual({ acme: 'member' });

      const off = await okta().put(`Users/${id}`, { ...person, id, active: false });
      expect([off.status, off.body.active]).toEqual([200, false]);
      expect(await rolesOf(id)).toEqual({});
      const claims = { email: userName, email_verified: true, groups: ['Everyone'] };
      expect((await comes('okta', 'isaac', claims)).page).toBe('/sign-in?problem=not_admitted');

      const on = await okta().put(`Users/${id}`, { ...person, id, active: true });
      expect([on.status, on.body.active]).toEqual([200, true]);
      expect(await rolesOf(id)).toEqual({ acme: 'member' });
      expect((await comes('okta', 'isaac', claims)).me.id).toBe(id);
      expect(await auditOf(id)).toEqual(
        expect.arrayContaining([
          'member.joined',
          'member.removed',
          'user.created',
          'user.disabled',
          'user.enabled',
        ]),
      );
      await okta().delete(`Groups/${everyone}`);
    });

    it('leaves somebody out of whom the whole does not say that they are active', async () => {
      const userName = newName();
      const id = await okta().person(userName);
      expect((await okta().put(`Users/${id}`, { userName })).body.active).toBe(true);
      await okta().patch(`Users/${id}`, { op: 'replace', value: { active: false } });
      const whole = await okta().put(`Users/${id}`, { userName, displayName: 'Ada' });
      expect([whole.status, whole.body.active]).toEqual([200, false]);
    });

    it('gives nothing by what else it calls a group', async () => {
      const id = await okta().person(newName());
      const group = await okta().group('Not everyone', [id], { externalId: 'Everyone' });
      expect(await rolesOf(id)).toEqual({});
      await okta().delete(`Groups/${group}`);
    });

    it('takes what a group gave from somebody who joins while it is deleted', async () => {
      const id = await okta().person(newName());
      const everyone = await okta().group('Everyone');
      const holder = new pg.Client({ connectionString: databaseUrl() });
      await holder.connect();
      const waiting = async (count: number): Promise<void> => {
        const asked = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        await expect.poll(async () => (await holder.query(asked)).rowCount).toBe(count);
      };
      try {
        await holder.query('BEGIN');
        await holder.query('SELECT FROM users WHERE id = $1 FOR UPDATE', [id]);
        const joins = okta().patch(`Groups/${everyone}`, {
          op: 'add',
          path: 'members',
          value: [{ value: id }],
        });
        await waiting(1);
        const deletes = okta().delete(`Groups/${everyone}`);
        await waiting(2);
        await holder.query('COMMIT');
        expect([(await joins).status, (await deletes).status]).toEqual([204, 204]);
      } finally {
        await holder.end();
      }
      expect((await okta().get(`Groups/${everyone}`)).status).toBe(404);
      expect(await rolesOf(id)).toEqual({});
    });

    it('says members one by one, all at once, and by what is left of them', async () => {
      const [one, two] = [await okta().person(newName()), await okta().person(newName())];
      const support = await okta().group('Support', [one]);
      const inSupport = async (): Promise<string[]> =>
        (await inAcme().get('/v1/workspace/teams')).body.items[0].memberIds;
      // A team is for members: it waits for a group that makes them one.
      expect([await rolesOf(one), await inSupport()]).toEqual([{}, expect.not.arrayContaining([one])]);
      const everyone = await okta().group('Everyone', [one]);
      expect(await inSupport()).toContain(one);
      await okta().patch(`Groups/${everyone}`, {
        op: 'replace',
        path: 'members',
        value: [{ value: one }, { value: two }],
      });
      await okta().patch(
        `Groups/${support}`,
        { op: 'remove', path: `members[value eq "${one}"]` },
        { op: 'add', path: 'members', value: [{ value: two, display: 'two' }] },
      );
      expect([await rolesOf(one), await rolesOf(two)]).toEqual([{ acme: 'member' }, { acme: 'member' }]);
      expect(await inSupport()).toContain(two);
      const renamed = { id: support, displayName: 'Help' };
      expect((await okta().patch(`Groups/${support}`, { op: 'replace', value: renamed })).status).toBe(204);
      expect(await inSupport()).not.toContain(two);
      const put = await okta().put(`Groups/${everyone}`, {
        displayName: 'Everyone',
        members: [{ value: two }],
      });
      expect([put.status, put.body.members]).toEqual([200, [{ value: two, type: 'User' }]]);
      expect([await rolesOf(one), await rolesOf(two)]).toEqual([{}, { acme: 'member' }]);
      for (const id of [support, everyone]) await okta().delete(`Groups/${id}`);
    });

    it('deletes a person, and may give them again', async () => {
      const userName = newName();
      const id = await okta().person(userName);
      const everyone = await okta().group('Everyone', [id]);
      expect((await okta().delete(`Users/${id}`)).status).toBe(204);
      expect((await okta().get(`Users/${id}`)).status).toBe(404);
      expect((await okta().delete(`Users/${id}`)).status).toBe(404);
      expect((await okta().get(`Groups/${everyone}`)).body.members).toEqual([]);
      expect(await rolesOf(id)).toEqual({});
      expect(await okta().person(userName)).toBe(id);
      await okta().patch(`Groups/${everyone}`, { op: 'add', path: 'members', value: [{ value: id }] });
      expect(await rolesOf(id)).toEqual({ acme: 'member' });
      await okta().delete(`Groups/${everyone}`);
    });
  });

  describe('that deactivates somebody', () => {
    /** All by which somebody acts, and a schedule in their name. */
    const busyPerson = async (role: string) => {
      const person = await gatehouse.workspace.person('member');
      const email = newName();
      const { database } = gatehouse;
      await database.query('UPDATE users SET email = $2 WHERE id = $1', [person.id, email]);
      await database.query('DELETE FROM memberships WHERE user_id = $1', [person.id]);
      await database.query(
        `INSERT INTO memberships (id, workspace_id, user_id, role) SELECT 'mem_' || $1, id, $1, $2 FROM workspaces WHERE slug = 'acme'`,
        [person.id, role],
      );
      const app = inAcme(person);
      const token = (await app.post('/v1/account/tokens', { name: 'Mine', scopes: ['workspace:read'] })).body
        .token as string;
      const script = await python(inAcme(), 'print(1)');
      const schedule = { name: `n-${randomUUID()}`, cron: '0 3 * * *' };
      const made = await app.post(`/v1/scripts/${script.slug}/schedules`, schedule);
      expect(made.status, made.text).toBe(201);
      const connected = await connect({ cookie: person.cookie }, { workspace: 'acme' }, gatehouse.baseUrl);
      const opens: [string, Client][] = [
        ['the session', app],
        ['the token', gatehouse.api.as(token, { slug: 'acme' })],
        ['the app', gatehouse.api.as(connected.access_token, { slug: 'acme' })],
      ];
      await entra().person(email);
      return { ...person, email, opens, schedule: made.body.id as string };
    };
    const expectOpen = async (opens: [string, Client][], status: number): Promise<void> => {
      for (const [what, client] of opens)
        expect((await client.get('/v1/workspace')).status, what).toBe(status);
    };
    const expectScheduleOff = async (id: string): Promise<void> => {
      const reason = 'its creator is not a member of the workspace any more';
      await expect
        .poll(async () => (await inAcme().get(`/v1/schedules/${id}`)).body)
        .toMatchObject({ enabled: false, disabledReason: reason });
    };

    it('ends all that acts for them, which coming back does not bring back', async () => {
      const { id, email, password, opens, schedule } = await busyPerson('member');
      await expectOpen(opens, 200);
      const off = await entra().patch(`Users/${id}`, { op: 'Replace', path: 'active', value: 'False' });
      expect([off.status, off.body.active]).toEqual([200, false]);
      await expectOpen(opens, 401);
      await expectScheduleOff(schedule);
      expect(await rolesOf(id)).toEqual({});
      const told = await gatehouse.waitFor('workspace.member.removed', ({ data }) => data['userId'] === id);
      expect(told.data).toMatchObject({ email });
      const login = () => gatehouse.api.post('/v1/auth/login', { email, password });
      expect((await login()).status).toBe(401);

      const on = await entra().patch(`Users/${id}`, { op: 'Replace', path: 'active', value: 'True' });
      expect(on.body.active).toBe(true);
      await expectOpen(opens, 401);
      expect((await login()).status).toBe(401);
      expect((await inAcme().get(`/v1/schedules/${schedule}`)).body.enabled).toBe(false);
      const { me } = await comes('entra', randomUUID(), {
        preferred_username: email,
        acct: 0,
        groups: [ADMINS],
      });
      expect(me.id).toBe(id);
      expect(await rolesOf(id)).toEqual({ acme: 'admin' });
    });

    describe('whom the operator disables as well', { tags: 'slow', timeout: 400_000 }, () => {
      const admin = async (what: 'enable' | 'disable', email: string): Promise<void> => {
        const place = {
          DATABASE_URL: databaseUrl(),
          GATEHOUSE_DATA: await mkdtemp(join(tmpdir(), 'gatehouse-test-')),
        };
        const { code, stderr } = await runAdmin(['users', what, email], place);
        expect([code, stderr]).toEqual([0, '']);
      };
      const active = (id: string, value: boolean) =>
        okta().patch(`Users/${id}`, { op: 'replace', value: { active: value } });
      const isOff = async (id: string): Promise<unknown> =>
        (
          await gatehouse.database.query('SELECT disabled_at IS NOT NULL AS off FROM users WHERE id = $1', [
            id,
          ])
        ).rows[0]!['off'];

      it.each<[string, ('enable' | 'disable')[]]>([
        ['at once', ['disable']],
        ['after letting them in', ['enable', 'disable']],
      ])('keeps them out when it activates them again: %s', async (_, commands) => {
        const email = newName();
        const id = await okta().person(email);
        await active(id, false);
        for (const each of commands) await admin(each, email);
        expect((await active(id, true)).status).toBe(200);
        expect(await isOff(id)).toBe(true);
        const { rows } = await gatehouse.database.query(
          `SELECT FROM audit_events WHERE target_id = $1 AND action = 'user.disabled' AND actor_type = 'staff'`,
          [id],
        );
        expect(rows).not.toEqual([]);
        await admin('enable', email);
        expect(await isOff(id)).toBe(false);
      });
    });

    it('leaves a workspace its last owner, who can do nothing there', async () => {
      const { id, opens, schedule } = await busyPerson('owner');
      await gatehouse.database.query(
        `UPDATE memberships m SET role = 'admin' FROM workspaces w WHERE w.id = m.workspace_id AND w.slug = 'acme' AND m.user_id <> $1 AND m.role = 'owner'`,
        [id],
      );
      const off = await entra().delete(`Users/${id}`);
      expect(off.status, off.text).toBe(204);
      await expectOpen(opens, 401);
      expect(await rolesOf(id)).toEqual({ acme: 'owner' });
      await expectScheduleOff(schedule);
      await gatehouse.database.query(
        `UPDATE memberships m SET role = 'owner' FROM workspaces w WHERE w.id = m.workspace_id AND w.slug = 'acme' AND m.user_id = $1`,
        [gatehouse.workspace.owner.id],
      );
    });
  });

  it('gives nobody at a sign-in what they have lost at this moment', async () => {
    const userName = newName();
    const id = await entra().person(userName);
    const admins = await entra().group('Admins of acme', [id], { externalId: ADMINS });
    expect(await rolesOf(id)).toEqual({ acme: 'admin' });
    const gate = new pg.Client(databaseUrl());
    await gate.connect();
    try {
      await gate.query('BEGIN');
      await gate.query(`SELECT FROM workspaces WHERE slug IN ('acme', 'night') FOR NO KEY UPDATE`);
      const claims = { preferred_username: userName, acct: 0, _claim_names: { groups: 'src1' } };
      const coming = comes('entra', randomUUID(), claims);
      const { rows } = await gate.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      const waiting = 'SELECT FROM pg_stat_activity WHERE $1 = ANY(pg_blocking_pids(pid))';
      await expect
        .poll(async () => (await gatehouse.database.query(waiting, [rows[0]!.pid])).rowCount)
        .toBe(1);
      await gate.query('DELETE FROM scim_group_members WHERE user_id = $1', [id]);
      await gate.query('DELETE FROM memberships WHERE user_id = $1', [id]);
      await gate.query('COMMIT');
      expect((await coming).me.id).toBe(id);
    } finally {
      await gate.end();
    }
    expect(await rolesOf(id)).toEqual({});
    await entra().delete(`Groups/${admins}`);
  });

  it('gets lists in parts', async () => {
    const names = ['a', 'b', 'c'].map((letter) => `${letter}-${newName()}`);
    for (const name of names) await okta().person(name);
    const all = (await okta().get('Users?count=200')).body;
    expect(all.totalResults).toBe(all.Resources.length);
    const part = (await okta().get(`Users?startIndex=${all.totalResults - 1}&count=1`)).body;
    expect(part).toMatchObject({
      totalResults: all.totalResults,
      startIndex: all.totalResults - 1,
      itemsPerPage: 1,
    });
    expect(part.Resources[0].id).toBe(all.Resources.at(-2).id);
    const none = (await okta().get('Users?count=0')).body;
    expect(none).toMatchObject({ totalResults: all.totalResults, itemsPerPage: 0, Resources: [] });
    expect((await okta().get(`Users?startIndex=-3&count=1`)).body.startIndex).toBe(1);
  });

  it.each<[string, () => Promise<{ status: number; body: Json }>, number, string | undefined]>([
    ['a name twice', async () => twice(newName()), 409, 'uniqueness'],
    [
      'a group twice',
      async () => (await okta().group('Twice'), okta().post('Groups', { displayName: 'TWICE' })),
      409,
      'uniqueness',
    ],
    ['no name', () => okta().post('Users', { active: true }), 400, 'invalidValue'],
    ['another language', () => okta().find('Users', 'userName sw "a"'), 400, 'invalidFilter'],
    ['another attribute', () => okta().find('Users', 'password eq "a"'), 400, 'invalidFilter'],
    ['a number of a page', () => okta().get('Users?count=x'), 400, 'invalidValue'],
    [
      'nobody',
      () => okta().patch('Users/usr_nobody', { op: 'replace', path: 'active', value: false }),
      404,
      undefined,
    ],
    ['no group', () => okta().put('Groups/scg_none', { displayName: 'x' }), 404, undefined],
    [
      'a member who is nobody',
      () => okta().post('Groups', { displayName: 'y', members: [{ value: 'usr_x' }] }),
      400,
      'invalidValue',
    ],
    ['a parameter', () => okta().get('Users?x=1'), 400, undefined],
  ])('is told of %s in its own words', async (_, ask, status, scimType) => {
    const answer = await ask();
    expect(answer.body).toMatchObject({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: String(status),
      detail: expect.any(String) as string,
    });
    expect([answer.status, answer.body.scimType]).toEqual([status, scimType]);
  });

  const twice = async (userName: string) => {
    await okta().person(userName);
    return okta().post('Users', { userName: userName.toUpperCase() });
  };
});

import { startGatehouse, type TestGatehouse } from '@gatehouse/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { SHAPES, ShapedProvider } from '../support/shaped-provider.js';
import { Visitor } from '../support/visitor.js';

type Kind = keyof typeof SHAPES;

const DOMAIN = 'acme.example';
const ADMINS = '4b6b3f0e-1111-4222-8333-abcdefabcdef';
const FOREIGN = '0c0c0c0c-1111-4222-8333-abcdefabcdef';

/** What an operator sets for each, besides who it is. */
const SETTINGS: Record<Kind, Record<string, string>> = {
  entra: { KIND: 'entra', ROLES: `${ADMINS}=acme:admin`, NAME: 'Microsoft' },
  okta: {
    SCOPES: 'openid email profile groups',
    ROLES: 'Gatehouse Admins=acme:admin;Everyone=acme:member',
    TEAMS: 'Support=acme:Support;Choir=acme:Singers',
  },
  google: { KIND: 'google', DEFAULT_ROLE: 'acme:member', AUTH_TIME: 'optional' },
  keycloak: { ROLES: '/gatehouse/admins=acme:admin;/gatehouse=acme:guest', DEFAULT_ROLE: 'other:guest' },
};

describe('signing in at a provider of the settings', () => {
  const providers = {} as Record<Kind, ShapedProvider>;
  let gatehouse: TestGatehouse;

  beforeAll(async () => {
    const env: Record<string, string> = {
      GATEHOUSE_OIDC: Object.keys(SHAPES).join(','),
      GATEHOUSE_OUTBOUND_ALLOW: '127.0.0.1',
      GATEHOUSE_LOG_FORMAT: 'text',
    };
    for (const kind of Object.keys(SHAPES) as Kind[]) {
      providers[kind] = await new ShapedProvider(SHAPES[kind]).listen();
      const { issuer, client } = providers[kind];
      const settings = {
        ISSUER: issuer,
        CLIENT_ID: client.id,
        CLIENT_SECRET: client.secret,
        DOMAINS: DOMAIN,
      };
      for (const [name, value] of Object.entries({ ...settings, ...SETTINGS[kind] })) {
        env[`GATEHOUSE_OIDC_${kind.toUpperCase()}_${name}`] = value;
      }
    }
    gatehouse = await startGatehouse({ env });
    for (const kind of Object.keys(SHAPES) as Kind[]) {
      providers[kind].serve(`${gatehouse.baseUrl}/v1/auth/ways/${kind}/callback`);
    }
    const owner = gatehouse.api.as(gatehouse.workspace.owner);
    await owner.post('/v1/workspaces', { name: 'Acme', slug: 'acme' });
    await owner.post('/v1/workspaces', { name: 'Other', slug: 'other' });
    await gatehouse.api
      .as(gatehouse.workspace.owner, { slug: 'acme' })
      .post('/v1/workspace/teams', { name: 'Support' });
  });

  afterAll(async () => {
    await gatehouse?.stop();
    for (const provider of Object.values(providers)) await provider[Symbol.asyncDispose]();
  });

  let subjects = 0;
  const newSubject = (): string => `person-${(subjects += 1)}`;
  const browser = () => new Visitor(gatehouse.baseUrl);

  /** Where somebody of whom the provider says that ends, and as whom. */
  const comes = async (kind: Kind, claims: object, subject = newSubject()) => {
    providers[kind].expects(subject, { name: 'Ada Lovelace', ...claims });
    const visitor = browser();
    const page = await visitor.signIn(kind, { next: '/w/acme/-/scripts' });
    const me = await visitor.me();
    return { page, me, visitor, roles: rolesOf(me), email: me.email as unknown };
  };
  const rolesOf = (me: { workspaces?: { slug: string; role: string }[] }) =>
    Object.fromEntries((me.workspaces ?? []).map(({ slug, role }) => [slug, role]));
  const NOT_IN = { page: '/sign-in?problem=not_admitted', roles: {} };

  it('shows a button for each', async () => {
    const { body } = await gatehouse.api.get('/v1/auth/ways');
    expect(body).toEqual({
      items: [
        { id: 'entra', title: 'Microsoft' },
        { id: 'okta', title: 'Okta' },
        { id: 'google', title: 'Google' },
        { id: 'keycloak', title: 'Keycloak' },
      ],
      passwords: true,
    });
  });

  describe('of Entra', () => {
    const inDirectory = (name: string) => ({ preferred_username: `${name}@${DOMAIN}`, acct: 0 });

    it('takes the name in the directory for the address, and groups by their ids', async () => {
      const claims = { ...inDirectory('ada'), groups: [FOREIGN, ADMINS] };
      const { page, email, roles } = await comes('entra', claims);
      expect([page, email, roles]).toEqual(['/w/acme/-/scripts', `ada@${DOMAIN}`, { acme: 'admin' }]);
    });

    it('takes no address that somebody could have written there', async () => {
      const claims = {
        email: `boss@${DOMAIN}`,
        preferred_username: 'eve@elsewhere.example',
        groups: [ADMINS],
      };
      expect(await comes('entra', claims)).toMatchObject({
        page: '/sign-in?problem=address_foreign',
        roles: {},
      });
      const guest = { ...inDirectory('guest'), acct: 1, groups: [ADMINS] };
      expect((await comes('entra', guest)).page).toBe('/sign-in?problem=address_unverified');
      const proved = { email: `proved@${DOMAIN}`, xms_edov: true, preferred_username: 'p', groups: [ADMINS] };
      expect((await comes('entra', proved)).email).toBe(`proved@${DOMAIN}`);
    });

    it('lets nobody in whose groups do not fit into the token, or are not said, and changes nothing', async () => {
      const subject = newSubject();
      expect((await comes('entra', { ...inDirectory('bo'), groups: [ADMINS] }, subject)).roles).toEqual({
        acme: 'admin',
      });
      for (const lacking of [{ _claim_names: { groups: 'src1' } }, { hasgroups: true }, {}]) {
        expect(await comes('entra', { ...inDirectory('bo'), ...lacking }, subject)).toMatchObject(NOT_IN);
      }
      const member = await gatehouse.database.query(
        `SELECT m.role FROM memberships m JOIN users u ON u.id = m.user_id WHERE u.email = $1`,
        [`bo@${DOMAIN}`],
      );
      expect(member.rows).toEqual([{ role: 'admin' }]);
    });
  });

  describe('of Okta', () => {
    const person = (name: string, ...groups: string[]) => ({
      email: `${name}@${DOMAIN}`,
      email_verified: true,
      groups,
    });

    it('takes groups that only the userinfo has, for roles and for teams, at each sign-in', async () => {
      const subject = newSubject();
      const first = await comes('okta', person('olga', 'Everyone', 'Gatehouse Admins', 'Support'), subject);
      expect(first.roles).toEqual({ acme: 'admin' });
      const owner = gatehouse.api.as(gatehouse.workspace.owner, { slug: 'acme' });
      const support = async () => (await owner.get('/v1/workspace/teams')).body.items[0].memberIds;
      expect(await support()).toContain(first.me.id);
      expect((await comes('okta', person('olga', 'Everyone'), subject)).roles).toEqual({ acme: 'member' });
      expect(await support()).not.toContain(first.me.id);
      expect((await comes('okta', person('olga'), subject)).roles).toEqual({});
      expect(providers.okta.asked.at(-1)!.get('scope')).toBe('openid email profile groups');
    });

    it('tells the operator of a team that there is not, and of which domain somebody is', async () => {
      const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
      try {
        expect((await comes('okta', person('cora', 'Everyone', 'Choir'))).roles).toEqual({ acme: 'member' });
        await comes('okta', { ...person('eve', 'Everyone'), email: 'eve@elsewhere.example' });
        const lines = printed.mock.calls.join('\n');
        expect(lines).toContain('the team "Singers", which the workspace has not');
        expect(lines).toMatch(/The address is of elsewhere\.example, and \w+ speaks for acme\.example alone/);
        expect(lines).not.toContain('eve@');
      } finally {
        printed.mockRestore();
      }
    });

    it('lets in nobody without a role', async () => {
      expect(await comes('okta', person('nina', 'Finance'))).toMatchObject(NOT_IN);
    });
  });

  describe('of Google', () => {
    const person = (name: string) => ({ email: `${name}@${DOMAIN}`, email_verified: true });

    it("gives the company's own people the role of everybody, and no private account with such an address", async () => {
      const { roles } = await comes('google', { ...person('gus'), hd: DOMAIN });
      expect(roles).toEqual({ acme: 'member' });
      expect(await comes('google', person('private'))).toMatchObject(NOT_IN);
      expect(await comes('google', { ...person('other'), hd: 'evil.example' })).toMatchObject(NOT_IN);
      expect(providers.google.asked.at(-1)!.get('hd')).toBe(DOMAIN);
    });

    it('confirms by its answer, as the operator has said', async () => {
      const { visitor } = await comes('google', { ...person('gil'), hd: DOMAIN });
      await expectConfirmed(visitor, true);
      await age(visitor);
      expect(await visitor.signIn('google', { next: '/account', confirm: true })).toBe('/account');
      expect(providers.google.asked.at(-1)!.get('prompt')).toBe('select_account');
      await expectConfirmed(visitor, true);
    });
  });

  describe('of Keycloak', () => {
    const person = (name: string, claims: object) => ({
      email: `${name}@${DOMAIN}`,
      email_verified: true,
      ...claims,
    });

    it('takes full paths of groups, and the default of a workspace that no group leads into', async () => {
      const groups = ['/gatehouse', '/gatehouse/admins'];
      expect((await comes('keycloak', person('kim', { groups }))).roles).toEqual({
        acme: 'admin',
        other: 'guest',
      });
      // Without "full path" the names are others.
      expect((await comes('keycloak', person('kai', { groups: ['admins'] }))).roles).toEqual({
        other: 'guest',
      });
    });

    it('lets in nobody whose address is not verified there', async () => {
      const claims = { ...person('kit', { groups: [] }), email_verified: false };
      expect((await comes('keycloak', claims)).page).toBe('/sign-in?problem=address_unverified');
    });
  });

  const age = async (visitor: Visitor): Promise<void> => {
    const { id } = await visitor.me();
    const old = `UPDATE sessions SET confirmed_at = now() - interval '61 minutes' WHERE user_id = $1`;
    await gatehouse.database.query(old, [id]);
  };
  const expectConfirmed = async (visitor: Visitor, isConfirmed: boolean): Promise<void> => {
    const body = { name: 'Mine', scopes: ['runs:read'] };
    const { status } = await visitor.api.post('/v1/account/tokens', body);
    expect(status).toBe(isConfirmed ? 201 : 403);
  };

  describe('once more', () => {
    const person = { email: `ora@${DOMAIN}`, email_verified: true, groups: ['Everyone'] };

    it('confirms who is signed in, and leads back to where they were', async () => {
      const { visitor } = await comes('okta', person, 'ora');
      await age(visitor);
      await expectConfirmed(visitor, false);
      const asked = await visitor.signIn('okta', { next: '/account?tab=tokens', confirm: true });
      expect(asked).toBe('/account?tab=tokens');
      const { prompt, max_age: maxAge } = Object.fromEntries(providers.okta.asked.at(-1)!);
      expect([prompt, maxAge]).toEqual(['login', '0']);
      await expectConfirmed(visitor, true);
    });

    it('is for the same person', async () => {
      await comes('okta', { ...person, email: `olaf@${DOMAIN}` }, 'olaf');
      const { visitor, me } = await comes('okta', person, 'ora');
      const as = async (subject: string) => {
        visitor.leaveProvider();
        providers.okta.expects(subject, { ...person, email: `${subject}@${DOMAIN}` });
        return visitor.signIn('okta', { next: '/account', confirm: true });
      };
      expect(await as('olaf')).toBe('/sign-in?problem=other_account&next=%2Faccount');
      expect(await as('osa')).toBe('/sign-in?problem=not_admitted&next=%2Faccount');
      expect((await visitor.me()).id).toBe(me.id);
      const made = await gatehouse.database.query('SELECT FROM users WHERE email = $1', [`osa@${DOMAIN}`]);
      expect(made.rows).toEqual([]);
    });

    it('needs somebody who is signed in', async () => {
      const { status } = await browser().api.post('/v1/auth/ways/okta/start', { confirm: true });
      expect(status).toBe(401);
      const { token } = gatehouse.workspace.owner;
      const byToken = await gatehouse.api.post(
        '/v1/auth/ways/okta/start',
        { confirm: true },
        { authorization: `Bearer ${token}` },
      );
      expect(byToken.status).toBe(401);
    });
  });
});

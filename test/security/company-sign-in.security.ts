import { randomInt, randomUUID } from 'node:crypto';

import { type BegunSignIn, Extension, OpenId, type OpenIdProvider, SignInWay } from '@gatehouse/extension';
import { createClient, type TestGatehouse, startGatehouse } from '@gatehouse/testing';
import { Module } from '@nestjs/common';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import companyLogin from '../../examples/company-login/company-login.extension.js';
import type { Json } from '../../libs/testing/index.js';
import { RogueProvider } from './support/rogue-provider.js';

const OUTSIDE = 'expired';
const MEMBER = ['gatehouse-users'];

/** A second way, whose provider is somewhere that may not be dialled. */
class OtherWay {
  readonly id = 'other-login';
  readonly title = 'Other';
  readonly domains = ['other.example'];
  private readonly provider: OpenIdProvider;

  constructor(openId: OpenId) {
    this.provider = openId.provider({ issuer: 'https://10.11.12.13', clientId: 'gatehouse' });
  }

  begin(signIn: BegunSignIn): Promise<URL> {
    return this.provider.begin(signIn);
  }

  finish(): never {
    throw new Error('Nobody gets here.');
  }
}
Reflect.defineMetadata('design:paramtypes', [OpenId], OtherWay);
SignInWay()(OtherWay);
class OtherLogin {}
Module({ providers: [OtherWay] })(OtherLogin);
Extension({ name: 'other-login' })(OtherLogin);

describe("a company's provider", () => {
  let provider: RogueProvider;
  let gatehouse: TestGatehouse;

  beforeAll(async () => {
    provider = await new RogueProvider().listen();
    const settings = {
      issuer: provider.issuer,
      clientId: 'gatehouse',
      clientSecret: 'secret',
      domains: 'acme.example,example.com',
      workspace: 'acme',
    };
    gatehouse = await startGatehouse({
      extensions: [companyLogin(settings), OtherLogin],
      env: { GATEHOUSE_OUTBOUND_ALLOW: '127.0.0.1', GATEHOUSE_TRUST_PROXY: '127.0.0.1' },
    });
    const { api, workspace } = gatehouse;
    await api.as(workspace.owner).post('/v1/workspaces', { name: 'Acme', slug: 'acme' });
  });

  afterAll(async () => {
    await gatehouse?.stop();
    await provider?.close();
  });

  beforeEach(() => {
    provider.claims = {};
    provider.metadata = {};
    provider.signing = 'right';
  });

  const newEmail = (domain = 'acme.example') => `${randomUUID()}@${domain}`;
  const says = (claims: object): void => {
    const email = newEmail();
    provider.claims = {
      ...{ sub: randomUUID(), email, email_verified: true, name: 'Ada', groups: MEMBER },
      ...claims,
    };
  };
  const browser = () =>
    createClient({
      baseUrl: gatehouse.baseUrl,
      headers: { 'x-forwarded-for': `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}` },
    });

  interface Attempt {
    redirectTo: string;
    state: string;
    cookie: string;
  }
  const begin = async (way = 'company-login', body: object = {}): Promise<Attempt> => {
    const answer = await browser().post(`/v1/auth/ways/${way}/start`, body);
    expect(answer.status, answer.text).toBe(200);
    const { redirectTo } = answer.body as { redirectTo: string };
    const cookie = answer.headers.get('set-cookie')!.split(';')[0]!;
    return { redirectTo, state: new URL(redirectTo).searchParams.get('state')!, cookie };
  };

  /** Where the browser ends, and as whom. */
  const comeBack = async (
    cookie: string | null,
    query: Record<string, string> | string,
    way = 'company-login',
  ): Promise<{ problem: string | null; location: string; me: Json; session: string | null }> => {
    const path = `/v1/auth/ways/${way}/callback?${new URLSearchParams(query).toString()}`;
    const { status, headers, text } = await browser().get(path, cookie === null ? {} : { cookie });
    expect(status, text).toBe(303);
    const location = headers.get('location')!;
    const session = headers.getSetCookie().find((line) => line.startsWith('gatehouse_session='));
    const me = session && (await browser().get('/v1/auth/session', { cookie: session.split(';')[0]! })).body;
    const problem = new URL(location).searchParams.get('problem');
    return { problem, location, me: me ?? null, session: session?.split(';')[0] ?? null };
  };
  const signIn = async (query: Record<string, string> = {}) => {
    const { redirectTo, state, cookie } = await begin();
    return comeBack(cookie, { code: provider.codeFor(redirectTo), state, iss: provider.issuer, ...query });
  };

  describe('a way back', () => {
    it('is for the browser that has begun, with its state, once', async () => {
      says({});
      const mine = await begin();
      const theirs = await begin();
      const good = { code: provider.codeFor(mine.redirectTo), state: mine.state, iss: provider.issuer };
      const forged: [string | null, Record<string, string> | string][] = [
        [null, good],
        [theirs.cookie, good],
        ['gatehouse_sign_in=', good],
        [`${mine.cookie.slice(0, -1)}_`, good],
        [mine.cookie, { ...good, state: theirs.state }],
        [mine.cookie, { ...good, state: '' }],
        [mine.cookie, { code: good.code, iss: good.iss }],
        [mine.cookie, `${new URLSearchParams(good).toString()}&state=${mine.state}`],
      ];
      for (const [cookie, query] of forged) {
        expect(await comeBack(cookie, query), JSON.stringify([cookie, query])).toMatchObject({
          problem: OUTSIDE,
          me: null,
        });
      }
      // Forgeries have not used it up.
      const at = await Promise.all(Array.from({ length: 5 }, () => comeBack(mine.cookie, good)));
      expect(at.filter(({ me }) => me !== null)).toHaveLength(1);
      expect(await comeBack(mine.cookie, good)).toMatchObject({ problem: OUTSIDE, me: null });
    });

    it('is of the way that was begun', async () => {
      says({});
      const { redirectTo, state, cookie } = await begin();
      const query = { code: provider.codeFor(redirectTo), state, iss: provider.issuer };
      expect(await comeBack(cookie, query, 'other-login')).toMatchObject({ problem: OUTSIDE, me: null });
      expect((await browser().get('/v1/auth/ways/none/callback')).status).toBe(404);
    });

    it('is too late after a quarter of an hour', async () => {
      says({});
      const { redirectTo, state, cookie } = await begin();
      await gatehouse.database.query('UPDATE sign_in_attempts SET expires_at = now()');
      const query = { code: provider.codeFor(redirectTo), state, iss: provider.issuer };
      expect(await comeBack(cookie, query)).toMatchObject({ problem: OUTSIDE, me: null });
    });

    it("does not take a code that was made for somebody else's sign-in", async () => {
      says({});
      const victim = await begin();
      const attacker = await begin();
      const query = { code: provider.codeFor(victim.redirectTo), iss: provider.issuer };
      const answer = await comeBack(attacker.cookie, { ...query, state: attacker.state });
      expect(answer).toMatchObject({ problem: 'failed', me: null });
    });

    it('leads to no other site', async () => {
      const elsewhere = ['https://evil.example', '//evil.example', '/\\evil.example', '/\t/evil.example'];
      for (const next of [
        ...elsewhere,
        'javascript:alert(1)',
        '',
        '/a\nb',
        '/%5c/../\\x',
        `/${'a'.repeat(2000)}`,
      ]) {
        const answer = await browser().post('/v1/auth/ways/company-login/start', { next });
        expect(answer.status, next).toBe(400);
      }
      says({});
      const { redirectTo, state, cookie } = await begin('company-login', { next: '/w/acme?a=//b#c' });
      const query = {
        code: provider.codeFor(redirectTo),
        state,
        iss: provider.issuer,
        next: '//evil.example',
      };
      expect((await comeBack(cookie, query)).location).toBe(`${gatehouse.baseUrl}/w/acme?a=//b#c`);
    });

    it('is begun by no page of another site, and not without end', async () => {
      const start = (headers: Record<string, string>) =>
        createClient({ baseUrl: gatehouse.baseUrl }).post('/v1/auth/ways/company-login/start', {}, headers);
      expect((await start({ origin: 'https://evil.example' })).status).toBe(403);
      const answers = await Promise.all(
        Array.from({ length: 60 }, () => start({ 'x-forwarded-for': '10.200.0.1' })),
      );
      const statuses = answers.map(({ status }) => status);
      expect(statuses).toContain(200);
      expect(statuses).toContain(429);
    });

    it('has nothing in the database with which it could be finished', async () => {
      const { redirectTo, state, cookie } = await begin();
      const { rows } = await gatehouse.database.query('SELECT * FROM sign_in_attempts');
      const stored = JSON.stringify(rows);
      const { searchParams } = new URL(redirectTo);
      for (const secret of [state, cookie.split('=')[1]!, searchParams.get('nonce')!]) {
        expect(stored).not.toContain(secret);
        expect(stored).not.toContain(Buffer.from(secret).toJSON().data.join(','));
      }
      expect(redirectTo).not.toContain(cookie.split('=')[1]);
    });
  });

  describe('what it says', () => {
    const past = (): number => Math.floor(Date.now() / 1000) - 2 * 3600;
    it.each<[string, () => object, string]>([
      ['another nonce', () => ({ nonce: 'another' }), 'failed'],
      ['no nonce', () => ({ nonce: undefined }), 'failed'],
      ['another issuer', () => ({ iss: 'https://login.evil.example' }), 'failed'],
      ['another audience', () => ({ aud: 'somebody-else' }), 'failed'],
      ['further audiences without saying for whom', () => ({ aud: ['gatehouse', 'x'] }), 'failed'],
      ['a moment that is over', () => ({ exp: past() }), 'failed'],
      ['a password of two hours ago', () => ({ auth_time: past() }), 'not_fresh'],
      ['no subject', () => ({ sub: '' }), 'failed'],
      ['no groups', () => ({ groups: undefined }), 'not_admitted'],
      ['an address that is none', () => ({ email: 'ada' }), 'failed'],
      ['"true" as a text', () => ({ email_verified: 'true' }), 'address_unverified'],
    ])('is not believed with %s', async (_, claims, problem) => {
      says(claims());
      expect(await signIn()).toMatchObject({ problem, me: null });
    });

    it.each(['other key', 'none'] as const)('is not believed where it is signed by %s', async (signing) => {
      says({});
      provider.signing = signing;
      expect(await signIn()).toMatchObject({ problem: 'failed', me: null });
    });

    it('is not believed where another provider has sent the browser', async () => {
      says({});
      expect(await signIn({ iss: 'https://login.evil.example' })).toMatchObject({ problem: 'failed' });
      expect(await signIn({ error: 'access_denied', code: '' })).toMatchObject({ problem: 'not_admitted' });
    });

    it('makes nobody, where it is not believed', async () => {
      const email = newEmail();
      for (const claims of [{ email_verified: false }, { email: newEmail('evil.example') }, { groups: [] }]) {
        says({ email, ...claims });
        expect((await signIn()).me).toBeNull();
      }
      const { rows } = await gatehouse.database.query('SELECT FROM users WHERE email = $1', [email]);
      expect(rows).toEqual([]);
    });

    it('confirms no session where it does not say when somebody gave their password', async () => {
      const make = async () =>
        createClient({ baseUrl: gatehouse.baseUrl, cookie: (await signIn()).session! }).post(
          '/v1/account/tokens',
          { name: 'Mine', scopes: ['runs:read'] },
        );
      says({ auth_time: undefined });
      expect((await make()).body.error.code).toBe('confirmation_required');
      says({});
      expect((await make()).status).toBe(201);
    });
  });

  describe('an account', () => {
    it('is not taken over by an address that is not verified, or is of another domain', async () => {
      const { owner } = gatehouse.workspace;
      says({ email: owner.email, email_verified: false });
      expect(await signIn()).toMatchObject({ problem: 'address_unverified', me: null });
      says({ email: owner.email, email_verified: undefined });
      expect(await signIn()).toMatchObject({ problem: 'address_unverified', me: null });
      await gatehouse.database.query('UPDATE users SET email = $1 WHERE id = $2', [
        'olive@elsewhere.example',
        owner.id,
      ]);
      const foreign = ['olive@elsewhere.example', 'OLIVE@Elsewhere.example'];
      for (const email of foreign) {
        says({ email });
        expect(await signIn()).toMatchObject({ problem: 'address_foreign', me: null });
      }
    });

    it('is found once by its address, and then by its identity alone', async () => {
      const person = await gatehouse.workspace.person('member');
      const sub = randomUUID();
      says({ sub, email: person.email });
      expect((await signIn()).me).toMatchObject({ id: person.id });
      // The provider gives them another address, also that of somebody else.
      const victim = await gatehouse.workspace.person('admin');
      for (const email of [newEmail(), victim.email]) {
        says({ sub, email });
        expect((await signIn()).me).toMatchObject({ id: person.id, email: person.email });
      }
      // Somebody else gets the address, and not the account.
      says({ email: person.email });
      expect(await signIn()).toMatchObject({ problem: 'address_taken', me: null });
      const { body } = await gatehouse.api
        .as(gatehouse.workspace.owner)
        .get(`/v1/workspace/audit-events?action=user.sign_in_refused`);
      expect(body.items).toMatchObject([{ target: { type: 'user', id: person.id }, actor: null }]);
      // The victim's account is still theirs to connect.
      says({ email: victim.email });
      expect((await signIn()).me).toMatchObject({ id: victim.id });
    });

    it('of the last owner stays one, whatever their groups are', async () => {
      const email = 'olive@acme.example';
      await gatehouse.database.query('UPDATE users SET email = $1 WHERE id = $2', [
        email,
        gatehouse.workspace.owner.id,
      ]);
      const sub = randomUUID();
      for (const groups of [MEMBER, []]) {
        says({ sub, email, groups });
        const { me } = await signIn();
        expect(me.workspaces.find(({ slug }: { slug: string }) => slug === 'acme').role).toBe('owner');
      }
    });

    it('has one session in a browser, also after a sign-in at a provider', async () => {
      const { owner } = gatehouse.workspace;
      says({});
      const { redirectTo, state, cookie } = await begin();
      const query = { code: provider.codeFor(redirectTo), state, iss: provider.issuer };
      expect((await comeBack(`${cookie}; ${owner.cookie}`, query)).me.email).not.toBe(owner.email);
      expect((await browser().get('/v1/auth/session', { cookie: owner.cookie })).status).toBe(401);
    });
  });

  it('is not dialled at a private address that was not opened', async () => {
    const refused = await browser().post('/v1/auth/ways/other-login/start', {});
    expect(refused.status).toBe(503);
    expect(refused.text).not.toMatch(/10\.11|private/);
  });
});

import { randomInt, randomUUID } from 'node:crypto';

import { createClient, startGatehouse, type TestGatehouse } from '@gatehouse/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import type { Json } from '../../libs/testing/index.js';
import { RogueProvider } from './support/rogue-provider.js';

const NAMES = ['acme', 'other', 'liar', 'inward', 'nowhere'] as const;
type Name = (typeof NAMES)[number];
const DOMAINS: Partial<Record<Name, string>> = { other: 'other.example' };
const MEMBER = ['gatehouse-users'];

describe('a provider of the settings', () => {
  const providers = {} as Record<Name, RogueProvider>;
  let gatehouse: TestGatehouse;

  beforeAll(async () => {
    const env: Record<string, string> = {
      GATEHOUSE_OIDC: NAMES.join(','),
      GATEHOUSE_OUTBOUND_ALLOW: '127.0.0.1',
      GATEHOUSE_TRUST_PROXY: '127.0.0.1',
    };
    for (const name of NAMES) {
      providers[name] = await new RogueProvider().listen();
      const settings = {
        ISSUER: providers[name].issuer,
        CLIENT_ID: 'gatehouse',
        CLIENT_SECRET: 'secret',
        DOMAINS: DOMAINS[name] ?? 'acme.example',
        ROLES: 'gatehouse-admins=acme:admin;gatehouse-users=acme:member',
      };
      for (const [key, value] of Object.entries(settings)) {
        env[`GATEHOUSE_OIDC_${name.toUpperCase()}_${key}`] = value;
      }
    }
    // What they say of themselves is asked for at the start.
    providers.liar.metadata = { issuer: providers.acme.issuer };
    providers.inward.metadata = { token_endpoint: 'http://10.1.2.3/token' };
    providers.nowhere.metadata = { authorization_endpoint: 'javascript:alert(1)' };
    gatehouse = await startGatehouse({ env });
    const { api, workspace } = gatehouse;
    await api.as(workspace.owner).post('/v1/workspaces', { name: 'Acme', slug: 'acme' });
  });

  afterAll(async () => {
    await gatehouse?.stop();
    for (const provider of Object.values(providers)) await provider.close();
  });

  beforeEach(() => {
    for (const provider of Object.values(providers)) provider.signing = 'right';
  });
  afterEach(() => void vi.useRealTimers());

  const browser = () =>
    createClient({
      baseUrl: gatehouse.baseUrl,
      headers: { 'x-forwarded-for': `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}` },
    });
  const says = (name: Name, claims: object): string => {
    const email = `${randomUUID()}@${DOMAINS[name] ?? 'acme.example'}`;
    const right = { sub: randomUUID(), email, email_verified: true, name: 'Ada', groups: MEMBER };
    providers[name].claims = { ...right, ...claims };
    return email;
  };
  const begin = async (name: Name) => {
    const { status, body, headers, text } = await browser().post(`/v1/auth/ways/${name}/start`, {});
    expect(status, text).toBe(200);
    const { redirectTo } = body as { redirectTo: string };
    const state = new URL(redirectTo).searchParams.get('state')!;
    return { redirectTo, state, cookie: headers.get('set-cookie')!.split(';')[0]! };
  };
  const comeBack = async (name: Name, cookie: string, query: Record<string, string>) => {
    const path = `/v1/auth/ways/${name}/callback?${new URLSearchParams(query).toString()}`;
    const { headers } = await browser().get(path, { cookie });
    const problem = new URL(headers.get('location')!).searchParams.get('problem');
    const session = headers.getSetCookie().find((line) => line.startsWith('gatehouse_session='));
    const me = session && (await browser().get('/v1/auth/session', { cookie: session.split(';')[0]! })).body;
    return { problem, me: (me ?? null) as Json };
  };
  const signIn = async (name: Name, query: Record<string, string> = {}) => {
    const { redirectTo, state, cookie } = await begin(name);
    const provider = providers[name];
    return comeBack(name, cookie, {
      code: provider.codeFor(redirectTo),
      state,
      iss: provider.issuer,
      ...query,
    });
  };

  it('is not mixed up with another one, whoever sends the browser back', async () => {
    says('acme', {});
    says('other', {});
    const { redirectTo, state, cookie } = await begin('acme');
    const code = providers.acme.codeFor(redirectTo);
    const iss = providers.acme.issuer;
    // To the address of the other one, with and without its code.
    expect(await comeBack('other', cookie, { code, state, iss })).toMatchObject({
      problem: 'expired',
      me: null,
    });
    const others = { code: providers.other.codeFor(redirectTo), state, iss: providers.other.issuer };
    expect(await comeBack('other', cookie, others)).toMatchObject({ problem: 'expired', me: null });
    // To its own address, sent by the other one.
    expect(await comeBack('acme', cookie, others)).toMatchObject({ problem: 'failed', me: null });
    // A code of the other one is sent to this one alone, which knows nothing of it.
    const second = await begin('acme');
    const stolen = { code: providers.other.codeFor(second.redirectTo), state: second.state, iss };
    expect(await comeBack('acme', second.cookie, stolen)).toMatchObject({ problem: 'failed', me: null });
  });

  it('knows nobody whom another one calls by the same name', async () => {
    const sub = randomUUID();
    const ours = says('acme', { sub });
    const theirs = says('other', { sub });
    const [first, second] = [await signIn('acme'), await signIn('other')];
    expect([first.me.email, second.me.email]).toEqual([ours, theirs]);
    expect(first.me.id).not.toBe(second.me.id);
  });

  it('vouches for no address of the domain of another one', async () => {
    const email = says('acme', {});
    const { me } = await signIn('acme');
    says('other', { email });
    expect(await signIn('other')).toMatchObject({ problem: 'address_foreign', me: null });
    says('other', { email: `${email}.other.example` });
    expect((await signIn('other')).me?.id).not.toBe(me.id);
    for (const domain of ['other.example.evil.example', 'sub.other.example', 'other.example@evil.example']) {
      says('other', { email: `ada@${domain}` });
      expect((await signIn('other')).me, domain).toBeNull();
    }
  });

  it.each<[string, object, string]>([
    ['an object', { groups: { 'gatehouse-admins': true } }, 'not_admitted'],
    ['a text with several', { groups: 'gatehouse-users,gatehouse-admins' }, 'not_admitted'],
    ['10,000 of them', { groups: Array.from({ length: 10_000 }, () => 'gatehouse-admins') }, 'not_admitted'],
    ['something else among them', { groups: ['gatehouse-users', { x: 1 }] }, 'not_admitted'],
    ['others with such a name in them', { groups: ['GATEHOUSE-USERS', ' gatehouse-users'] }, 'not_admitted'],
    ['the name of a property', { groups: ['__proto__', 'constructor', 'length'] }, 'not_admitted'],
    ['some that are elsewhere', { groups: MEMBER, _claim_names: { groups: 'src1' } }, 'not_admitted'],
  ])('gives no role for groups that are %s', async (_, claims, problem) => {
    says('acme', claims);
    expect(await signIn('acme')).toMatchObject({ problem, me: null });
  });

  it.each<[string, object]>([
    ['another audience', { aud: 'somebody-else' }],
    ['another party', { azp: 'somebody-else' }],
    ['several audiences and another party', { aud: ['gatehouse', 'x'], azp: 'x' }],
    ['another nonce', { nonce: 'another' }],
    ['another issuer', { iss: 'https://login.evil.example' }],
  ])('is not believed with %s', async (_, claims) => {
    says('acme', claims);
    expect(await signIn('acme')).toMatchObject({ problem: 'failed', me: null });
  });

  it.each(['other key', 'none', 'its public key'] as const)(
    'is not believed signed by %s',
    async (signing) => {
      says('acme', {});
      providers.acme.signing = signing;
      expect(await signIn('acme')).toMatchObject({ problem: 'failed', me: null });
    },
  );

  it('is believed with a new key within a minute or so, and no more with the one before', async () => {
    says('acme', {});
    expect((await signIn('acme')).me).not.toBeNull();
    providers.acme.rotate();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 70_000 });
    says('acme', {});
    expect((await signIn('acme')).me).not.toBeNull();
    providers.acme.signing = 'earlier key';
    says('acme', {});
    expect(await signIn('acme')).toMatchObject({ problem: 'failed', me: null });
  });

  it('is not used where it calls itself something else, or has people sign in at no address of the web', async () => {
    for (const name of ['liar', 'nowhere'] as const) {
      const { status, body } = await browser().post(`/v1/auth/ways/${name}/start`, {});
      expect(status, name).toBe(503);
      expect(body.error.message).toMatch(/^\w+ cannot be reached\. Try again, or sign in with a password\.$/);
    }
  });

  it('leads this service to no private address', async () => {
    says('inward', {});
    expect(await signIn('inward')).toMatchObject({ problem: 'failed', me: null });
  });

  it('confirms nobody by a sign-in of before, or of somebody else', async () => {
    const sub = randomUUID();
    const email = says('acme', { sub });
    const begun = await begin('acme');
    const path = `/v1/auth/ways/acme/callback?${new URLSearchParams({
      code: providers.acme.codeFor(begun.redirectTo),
      state: begun.state,
      iss: providers.acme.issuer,
    }).toString()}`;
    const { headers } = await browser().get(path, { cookie: begun.cookie });
    const session = headers.getSetCookie().find((line) => line.startsWith('gatehouse_session='))!;
    const cookie = session.split(';')[0]!;
    const once = async (claims: object) => {
      const start = await browser().post(
        '/v1/auth/ways/acme/start',
        { confirm: true, next: '/account' },
        { cookie },
      );
      const { redirectTo } = start.body as { redirectTo: string };
      const state = new URL(redirectTo).searchParams.get('state')!;
      says('acme', { sub, email, ...claims });
      const query = { code: providers.acme.codeFor(redirectTo), state, iss: providers.acme.issuer };
      return comeBack('acme', start.headers.get('set-cookie')!.split(';')[0]!, query);
    };
    const seconds = Math.floor(Date.now() / 1000);
    expect(await once({ auth_time: seconds - 300 })).toMatchObject({ problem: 'not_fresh', me: null });
    expect(await once({ auth_time: undefined })).toMatchObject({ problem: 'not_fresh', me: null });
    expect(await once({ sub: randomUUID() })).toMatchObject({ problem: 'address_taken', me: null });
    const theirs = says('acme', { sub: 'somebody-else' });
    await signIn('acme');
    expect(await once({ sub: 'somebody-else', email: theirs })).toMatchObject({ problem: 'other_account' });
    expect((await once({})).me.email).toBe(email);
  });
});

import { constants, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Seed, type TestPerson } from '../../libs/testing/index.js';
import { App, Browser } from '../support/oauth.js';
import { type SharedGatehouse, sharedGatehouse } from '../support/shared-gatehouse.js';
import type { Upstreams } from '../support/upstream.js';

const REDIRECT_URI = 'https://app.example/callback';
const ASSERTION = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** How each kind of signature is made: by which digest, and with which parameters. */
const SIGNATURES: Record<string, [digest: string | null, parameters: object]> = {
  ES256: ['sha256', { dsaEncoding: 'ieee-p1363' }],
  ES384: ['sha384', { dsaEncoding: 'ieee-p1363' }],
  EdDSA: [null, {}],
  PS256: [
    'sha256',
    { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST },
  ],
  RS256: ['sha256', {}],
  RS512: ['sha512', {}],
};

interface Assertion {
  /** Default: the app's own. */
  key?: KeyObject;
  alg?: string;
  claims?: object;
}

/** Apps that prove who they are by a signature (`private_key_jwt`), with keys that the page about them has or names. */
describe('apps with keys of their own', () => {
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const edwards = generateKeyPairSync('ed25519');
  const small = generateKeyPairSync('rsa', { modulusLength: 1024 });
  const keys = [
    { ...own.publicKey.export({ format: 'jwk' }), kid: 'own', use: 'sig', alg: 'ES256' },
    { ...rsa.publicKey.export({ format: 'jwk' }), kid: 'rsa', use: 'sig' },
    { ...edwards.publicKey.export({ format: 'jwk' }), kid: 'edwards', use: 'sig', alg: 'EdDSA' },
  ];
  const smallKeys = [
    { ...small.publicKey.export({ format: 'jwk' }), kid: 'small', use: 'sig', alg: 'RS256' },
  ];
  const asked: string[] = [];
  let gatehouse: SharedGatehouse;
  let upstreams: Upstreams;
  let pool: pg.Pool;
  let origin: string;
  let owner: TestPerson;
  let slug: string;

  beforeAll(async () => {
    ({ gatehouse, upstreams } = await sharedGatehouse());
    const port = await upstreams.start((request, response) => {
      const path = request.url!;
      asked.push(path);
      const send = (body: object): unknown =>
        response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
      if (path === '/keys') return send({ keys });
      if (path === '/moved-keys') return response.writeHead(302, { location: '/keys' }).end();
      if (path === '/long-keys') return send({ keys, padding: 'x'.repeat(70_000) });
      return send({
        client_id: `${origin}${path}`,
        client_name: 'Signing app',
        redirect_uris: [REDIRECT_URI],
        token_endpoint_auth_method: 'private_key_jwt',
        ...(path === '/inline' && { jwks: { keys } }),
        ...(path === '/small' && { jwks: { keys: smallKeys } }),
        ...(signedBy(path) !== undefined && {
          jwks_uri: `${origin}/keys`,
          token_endpoint_auth_signing_alg: signedBy(path),
        }),
        ...(path === '/linked' && { jwks_uri: `${origin}/keys` }),
        ...(path === '/moved' && { jwks_uri: `${origin}/moved-keys` }),
        ...(path === '/long' && { jwks_uri: `${origin}/long-keys` }),
        ...(path === '/private' && { jwks_uri: `https://169.254.169.254/keys` }),
        ...(path === '/loopback' && { jwks_uri: `https://[::1]:${port}/keys` }),
      });
    });
    origin = `https://localhost:${port}`;
    pool = new pg.Pool({ connectionString: gatehouse.databaseUrl, max: 2 });
    ({ owner, slug } = await new Seed(gatehouse.baseUrl, pool).workspace());
  });

  afterAll(async () => {
    await pool?.end();
    await upstreams?.close();
  });

  async function connecting(path: string): Promise<{ app: App; code: string }> {
    const app = new App(`${origin}${path}`, gatehouse.baseUrl);
    const browser = new Browser(gatehouse.baseUrl, owner.cookie);
    const consent = { workspace: slug, scopes: ['runs:read'] };
    const code = (await app.code(browser, consent, { redirect_uri: REDIRECT_URI })).get('code')!;
    return { app, code };
  }

  /** What goes with a request, for which it is good once. */
  function proof(app: App, { key = own.privateKey, alg = 'ES256', claims = {} }: Assertion = {}) {
    const now = Math.floor(Date.now() / 1000);
    const usual = { iss: app.clientId, sub: app.clientId, aud: gatehouse.baseUrl, jti: randomUUID() };
    const parts = [
      { alg, typ: 'JWT' },
      { ...usual, iat: now, exp: now + 60, ...claims },
    ];
    const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
    const [digest, parameters] = SIGNATURES[alg] ?? [];
    const signature = digest === undefined ? '' : sign(digest, Buffer.from(text), { key, ...parameters });
    return {
      client_assertion_type: ASSERTION,
      client_assertion: `${text}.${Buffer.from(signature).toString('base64url')}`,
    };
  }

  it.each(['/inline', '/linked'])('are believed by their signature, once (%s)', async (path) => {
    const { app, code } = await connecting(path);
    const first = proof(app);
    const tokens = await app.exchange(code, { redirect_uri: REDIRECT_URI, ...first });
    expect([tokens.status, tokens.body.scope]).toEqual([200, 'runs:read']);
    const again = await app.refresh(tokens.body.refresh_token, first);
    expect([again.status, again.body.error]).toEqual([401, 'invalid_client']);
    // Which has ended nothing: whoever replays it holds no key.
    const next = await app.refresh(tokens.body.refresh_token, proof(app));
    expect(next.status).toBe(200);
    const revoked = await app.form('/oauth/revoke', {
      client_id: app.clientId,
      token: next.body.access_token,
      ...proof(app),
    });
    expect(revoked.status).toBe(200);
    expect((await app.refresh(next.body.refresh_token, proof(app))).body.error).toBe('invalid_grant');
  });

  it.each([
    ['RS256', rsa.privateKey],
    ['PS256', rsa.privateKey],
    ['ES256', own.privateKey],
    ['EdDSA', edwards.privateKey],
  ])('are believed by the kind of signature that their page names, and by no other: %s', async (alg, key) => {
    const { app, code } = await connecting(`/signs-${alg}`);
    const others = { RS256: rsa, PS256: rsa, ES256: own, EdDSA: edwards };
    for (const [other, { privateKey }] of Object.entries(others).filter(([name]) => name !== alg)) {
      const given = proof(app, { key: privateKey, alg: other });
      const { status, body } = await app.exchange(code, { redirect_uri: REDIRECT_URI, ...given });
      expect([other, status, body.error]).toEqual([other, 401, 'invalid_client']);
    }
    const good = proof(app, { key, alg });
    const tokens = await app.exchange(code, { redirect_uri: REDIRECT_URI, ...good });
    expect([tokens.status, tokens.body.scope]).toEqual([200, 'runs:read']);
  });

  it('are not believed by a key that is too short', async () => {
    const { app, code } = await connecting('/small');
    const given = proof(app, { key: small.privateKey, alg: 'RS256' });
    const { status, body } = await app.exchange(code, { redirect_uri: REDIRECT_URI, ...given });
    expect([status, body.error]).toEqual([401, 'invalid_client']);
  });

  it('are not believed with any other', async () => {
    const { app, code } = await connecting('/inline');
    const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const hour = Math.floor(Date.now() / 1000) + 3600;
    const refused: Record<string, Record<string, string>> = {
      'no signature': {},
      'another key': proof(app, { key: stranger }),
      'a kind of signature that is not offered': proof(app, { key: rsa.privateKey, alg: 'RS512' }),
      'a kind of signature for keys of another kind': proof(app, { key: own.privateKey, alg: 'RS256' }),
      'no kind of signature': proof(app, { alg: 'none' }),
      'another server': proof(app, { claims: { aud: 'https://elsewhere.example' } }),
      'one that is over': proof(app, { claims: { exp: hour - 7200 } }),
      'one that is good for long': proof(app, { claims: { exp: hour } }),
      'one that is good for ever': proof(app, { claims: { exp: 1e300 } }),
      'no end': proof(app, { claims: { exp: undefined } }),
      'no name of its own': proof(app, { claims: { jti: undefined } }),
    };
    const seen: Record<string, unknown> = {};
    for (const [name, given] of Object.entries(refused)) {
      const { status, body } = await app.exchange(code, { redirect_uri: REDIRECT_URI, ...given });
      seen[name] = [status, body.error];
    }
    expect(seen).toEqual(
      Object.fromEntries(Object.keys(refused).map((name) => [name, [401, 'invalid_client']])),
    );
    const another = proof(app, { claims: { iss: `${origin}/linked`, sub: `${origin}/linked` } });
    const mixed = await app.exchange(code, { redirect_uri: REDIRECT_URI, ...another });
    expect([mixed.status, mixed.body.error]).toEqual([400, 'invalid_request']);
    // None of which has used up the code.
    expect((await app.exchange(code, { redirect_uri: REDIRECT_URI, ...proof(app) })).status).toBe(200);
  });

  it.each(['/private', '/loopback', '/moved', '/long'])(
    'are not believed where their keys may not be fetched: %s',
    async (path) => {
      const { app, code } = await connecting(path);
      const before = asked.filter((one) => one === '/keys').length;
      const { status, body } = await app.exchange(code, { redirect_uri: REDIRECT_URI, ...proof(app) });
      expect([status, body.error]).toEqual([401, 'invalid_client']);
      expect(JSON.stringify(body)).not.toContain('169.254');
      expect(asked.filter((one) => one === '/keys')).toHaveLength(before);
    },
  );
});

/** The kind of signature that the page at a path names as the app's. */
function signedBy(path: string): string | undefined {
  return /^\/signs-(\w+)$/.exec(path)?.[1];
}

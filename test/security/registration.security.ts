import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createClient, type GatehouseProcess } from '../../libs/testing/index.js';
import { baseUrl, client, database, newWorkspace, startGatehouse } from '../support/gatehouse.js';
import { App, Browser, REDIRECT_URI } from '../support/oauth.js';

const register = (metadata: object) =>
  client().post('/oauth/register', { client_name: 'An app', redirect_uris: [REDIRECT_URI], ...metadata });

async function nameOf(clientName: string): Promise<string> {
  const app = await App.registered(baseUrl(), { client_name: clientName });
  const { owner } = await newWorkspace();
  const uid = await app.begin(new Browser(baseUrl(), owner.cookie));
  return (await client({ cookie: owner.cookie }).get(`/v1/account/app-requests/${uid}`)).body.app.name;
}

describe('an app that registers itself', () => {
  it.each([
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://app.example/x',
    'about:blank',
    'view-source:https://app.example/',
    'ms-msdt:/id',
    'search-ms:query=x',
    'intent://x#Intent;end',
    'mailto:a@b.example',
    'ws://app.example/',
    'http://app.example/callback',
    'http://127.0.0.1.app.example/callback',
    'http://localhost@app.example/callback',
    'https://claude.ai@app.example/callback',
    'https://app.example/callback#fragment',
    'https:\\\\app.example\\callback',
    ' https://app.example/callback',
    'https://app.example/\u202Ecallback',
    '//app.example/callback',
    '/callback',
    '',
  ])('cannot have the consent brought to %s', async (redirectUri) => {
    const { status, body } = await register({ redirect_uris: [redirectUri] });
    expect([status, body.error]).toEqual([400, 'invalid_redirect_uri']);
  });

  it('gets the consent only where it said, but for the port on this computer', async () => {
    const app = await App.registered(baseUrl(), {
      redirect_uris: ['http://127.0.0.1/callback', 'https://app.example/callback', 'cursor://app/callback'],
    });
    const { owner } = await newWorkspace();
    for (const redirect_uri of [
      'http://127.0.0.1:1/callback/',
      'http://127.0.0.1:1/callback?x=1',
      'http://localhost/callback',
      'http://127.0.0.1:1@evil.example/callback',
      'https://app.example:8443/callback',
      'https://app.example/callback/..',
      'https://APP.example/callback',
      'cursor://app/callback/',
      'cursor://evil/callback',
      'cursor:1//app/callback',
    ]) {
      const page = await new Browser(baseUrl(), owner.cookie).get(app.authorizationUrl({ redirect_uri }));
      expect(page.headers.get('location'), redirect_uri).toBe('/connect/error?error=invalid_redirect_uri');
    }
  });

  it('cannot call itself what turns, hides or covers what is written beside it', async () => {
    expect(await nameOf('\u202Eedualc\u202C \u2066x\u2069')).toBe('edualc x');
    expect(await nameOf('Claude\u200B\u00A0\n\tby\u0000 us')).toBe('Claude by us');
    expect(await nameOf(`Z${'\u0301'.repeat(50)}`)).toBe('Z\u0301\u0301');
    expect(await nameOf('😀'.repeat(99))).toBe('😀'.repeat(99));
  });

  it('is of a bounded size', async () => {
    for (const metadata of [
      { client_name: 'x'.repeat(201) },
      { client_uri: `https://app.example/${'x'.repeat(2048)}` },
      { redirect_uris: [`https://app.example/${'x'.repeat(2048)}`] },
      { redirect_uris: Array.from({ length: 21 }, (_, n) => `https://app.example/${n}`) },
      { jwks: { keys: Array.from({ length: 200 }, () => ({ kty: 'EC', x: 'x'.repeat(200) })) } },
      { redirect_uris: 'https://app.example/' },
      { redirect_uris: [{}] },
      { client_name: {} },
    ]) {
      expect((await register(metadata)).status, JSON.stringify(metadata).slice(0, 80)).toBe(400);
    }
  });

  it('cannot pass for one of the operator, of a document or of the service', async () => {
    const { body } = await register({
      client_id: 'operator-mine',
      client_secret: 'mine',
      x_gatehouse: 'operator',
      token_endpoint_auth_method: 'none',
    });
    expect(body.client_id).toMatch(/^app-[\w-]{22}$/);
    expect(body).not.toHaveProperty('client_secret');
  });
});

describe('a flood of registrations', () => {
  let gatehouse: GatehouseProcess;
  beforeAll(async () => {
    gatehouse = await startGatehouse({ env: { GATEHOUSE_TRUST_PROXY: '127.0.0.1' } });
  });
  afterAll(() => gatehouse?.stop());

  const from = (address: string) =>
    createClient({ baseUrl: gatehouse.baseUrl, headers: { 'x-forwarded-for': address } }).post(
      '/oauth/register',
      {
        client_name: 'An app',
        redirect_uris: [REDIRECT_URI],
      },
    );

  it('from one address is refused, and others are not', async () => {
    const began = performance.now();
    const answers = await Promise.all(Array.from({ length: 40 }, () => from('2001:db8::1')));
    const seconds = (performance.now() - began) / 1000;
    const taken = answers.filter(({ status }) => status === 201);
    expect(taken.length).toBeGreaterThan(0);
    expect(taken.length).toBeLessThanOrEqual(20 + Math.ceil(seconds / 6));
    const refused = answers.find(({ status }) => status === 429);
    expect(Number(refused!.headers.get('retry-after'))).toBeGreaterThan(0);
    // One more may be taken every six seconds.
    const others = await Promise.all(Array.from({ length: 5 }, () => from('2001:db8::ffff')));
    expect(others.map(({ status }) => status)).toContain(429);
    expect((await from('2001:db8:1::1')).status).toBe(201);
  });
});

it(
  'keeps at most a thousand registrations that nobody uses, and forgets the oldest',
  { tags: 'slow' },
  async () => {
    const own = await startGatehouse();
    try {
      const { Client } = (await import('pg')).default;
      const direct = new Client({ connectionString: own.databaseUrl });
      await direct.connect();
      await direct.query(
        `INSERT INTO oauth_artifacts (kind, hash, payload, expires_at)
       SELECT 'Client', sha256(n::text::bytea), '\\x00', now() + interval '1 hour' + n * interval '1 second'
       FROM generate_series(1, 1500) AS n`,
      );
      const app = await App.registered(own.baseUrl);
      const { rows } = await direct.query(
        `SELECT count(*)::int AS count, bool_or(hash = sha256(convert_to($1, 'UTF8'))) AS there,
         bool_or(hash = sha256('1500')) AS young, bool_or(hash = sha256('1')) AS old
       FROM oauth_artifacts WHERE kind = 'Client'`,
        [app.clientId],
      );
      expect(rows[0]).toEqual({ count: 1000, there: true, young: true, old: false });
      await direct.end();
    } finally {
      await own.stop();
    }
  },
);

it('keeps the secrets of registered apps out of the database', async () => {
  const { body } = await register({ token_endpoint_auth_method: 'client_secret_post' });
  const { rows } = await database().query(
    `SELECT string_agg(encode(payload, 'escape'), '') AS text FROM oauth_artifacts WHERE kind = 'Client'`,
  );
  expect(rows[0].text).not.toContain(body.client_secret);
});

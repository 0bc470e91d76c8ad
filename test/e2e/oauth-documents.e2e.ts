import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import pg from 'pg';

import { Seed, type TestPerson } from '../../libs/testing/index.js';
import { App, Browser } from '../support/oauth.js';
import { type SharedGatehouse, sharedGatehouse } from '../support/shared-gatehouse.js';
import type { Upstreams } from '../support/upstream.js';

const ANOTHER_PORT = 'http://localhost:61234/callback';

/** Apps that are known by a page about themselves, which the service fetches. */
describe('client id metadata documents', () => {
  let gatehouse: SharedGatehouse;
  let upstreams: Upstreams;
  let pool: pg.Pool;
  let origin: string;
  let owner: TestPerson;
  let slug: string;
  const asked: string[] = [];

  beforeAll(async () => {
    ({ gatehouse, upstreams } = await sharedGatehouse());
    const port = await upstreams.start((request, response) => {
      const path = request.url!;
      asked.push(path);
      const id = `${origin}${path}`;
      const document = {
        client_id: id,
        client_name: 'Doc app',
        client_uri: 'https://app.example',
        redirect_uris: ['http://localhost/callback', 'https://app.example/callback'],
        grant_types: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_method: 'none',
        scope: 'openid profile',
      };
      const send = (body: object): unknown =>
        response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
      if (path === '/moved.json') return response.writeHead(302, { location: '/client.json' }).end();
      if (path === '/silent.json') return;
      if (path === '/long.json')
        return send({ ...document, logo_uri: `https://app.example/${'x'.repeat(6000)}` });
      if (path === '/another.json') return send({ ...document, client_id: `${origin}/client.json` });
      if (path === '/secret.json') return send({ ...document, client_secret: 'shared with everybody' });
      return send(document);
    });
    origin = `https://localhost:${port}`;
    pool = new pg.Pool({ connectionString: gatehouse.databaseUrl, max: 2 });
    ({ owner, slug } = await new Seed(gatehouse.baseUrl, pool).workspace());
  });

  afterAll(async () => {
    await pool?.end();
    await upstreams?.close();
  });

  const browser = (): Browser => new Browser(gatehouse.baseUrl, owner.cookie);
  const landing = async (clientId: string): Promise<string> => {
    const app = new App(clientId, gatehouse.baseUrl);
    const response = await browser().get(app.authorizationUrl({ redirect_uri: ANOTHER_PORT }));
    return response.headers.get('location') ?? (await response.text());
  };

  it('connect an app at any port of this computer, and say whose it is', async () => {
    const app = new App(`${origin}/client.json`, gatehouse.baseUrl);
    const at = browser();
    const uid = await app.begin(at, { redirect_uri: ANOTHER_PORT, scope: 'runs:read' });
    const response = await fetch(`${gatehouse.baseUrl}/v1/account/app-requests/${uid}`, {
      headers: { cookie: owner.cookie },
    });
    expect(((await response.json()) as { app: object }).app).toEqual({
      name: 'Doc app',
      clientId: `${origin}/client.json`,
      host: origin.slice('https://'.length),
      uri: 'https://app.example',
      redirectHost: 'localhost:61234',
      local: true,
      registered: 'document',
    });
    const consent = { workspace: slug, scopes: ['runs:read'] };
    const code = (await app.code(at, consent, { redirect_uri: ANOTHER_PORT })).get('code')!;
    const tokens = await app.exchange(code, { redirect_uri: ANOTHER_PORT });
    expect(tokens.status).toBe(200);
    expect((await app.refresh(tokens.body.refresh_token)).status).toBe(200);
    // Once for all of these requests.
    expect(asked.filter((path) => path === '/client.json')).toHaveLength(1);
  });

  it.each(['/moved.json', '/silent.json', '/long.json', '/another.json', '/secret.json'])(
    'are refused where they are not what they should be: %s',
    async (path) => {
      expect(await landing(`${origin}${path}`)).toContain('invalid_client');
      expect(asked).toContain(path);
      if (path === '/moved.json') expect(asked.filter((one) => one === '/client.json')).toHaveLength(1);
    },
  );

  it('are not fetched from addresses that mean no page of its own, or that may not be dialled', async () => {
    const before = asked.length;
    for (const clientId of [
      `${origin}/client.json?user=1`,
      `${origin}/`,
      origin,
      `${origin}/a/../client.json`,
      `${origin.replace('https:', 'http:')}/client.json`,
      'https://169.254.169.254/latest/meta-data',
      `https://[::1]:${new URL(origin).port}/client.json`,
    ]) {
      expect(await landing(clientId), clientId).toContain('invalid_client');
    }
    expect(asked).toHaveLength(before);
  });
});

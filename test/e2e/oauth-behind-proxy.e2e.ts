import pg from 'pg';
import { expect, it } from 'vitest';

import { createClient, Seed } from '../../libs/testing/index.js';
import { startGatehouse } from '../support/gatehouse.js';
import { App, Browser, REDIRECT_URI } from '../support/oauth.js';

const PUBLIC = 'https://gate.example/gate';

it('works behind a proxy that ends TLS and serves it below a path', { tags: 'slow' }, async () => {
  const env = { GATEHOUSE_SIGNUP: 'open', GATEHOUSE_BASE_URL: PUBLIC };
  const gatehouse = await startGatehouse({ env });
  const pool = new pg.Pool({ connectionString: gatehouse.databaseUrl, max: 2 });
  try {
    const { owner, slug } = await new Seed(gatehouse.baseUrl, pool).workspace();
    const app = await App.registered(gatehouse.baseUrl);
    const first = await new Browser(gatehouse.baseUrl, owner.cookie).get(
      app.authorizationUrl({ resource: `${PUBLIC}/mcp` }),
    );
    const location = first.headers.get('location')!;
    expect(location).toMatch(/^\/gate\/connect\//);
    const uid = location.split('/').at(-1)!;
    const [, resume = ''] = first.headers.getSetCookie();
    expect(resume.toLowerCase()).toContain(`path=/gate/oauth/authorize/${uid.toLowerCase()};`);
    expect(resume.toLowerCase()).toContain('secure');
    const api = createClient({ baseUrl: gatehouse.baseUrl, cookie: owner.cookie });
    const { body } = await api.post(`/v1/account/app-requests/${uid}/approve`, {
      workspace: slug,
      scopes: ['runs:read'],
    });
    expect(body.redirectTo).toBe(`${PUBLIC}/oauth/authorize/${uid}`);
    // As the proxy passes it on.
    const back = await fetch(`${gatehouse.baseUrl}/oauth/authorize/${uid}`, {
      redirect: 'manual',
      headers: {
        cookie: `${owner.cookie}; ${resume.split(';')[0]}`,
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'http',
      },
    });
    const parameters = new URL(back.headers.get('location')!).searchParams;
    expect(back.headers.get('location')).toContain(REDIRECT_URI);
    expect(parameters.get('iss')).toBe(PUBLIC);
    const tokens = await app.exchange(parameters.get('code')!, { resource: `${PUBLIC}/mcp` });
    expect(tokens.status, JSON.stringify(tokens.body)).toBe(200);
  } finally {
    await pool.end();
    await gatehouse.stop();
  }
});

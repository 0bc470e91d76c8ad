import { describe, expect, it } from 'vitest';

import { baseUrl, client, database, newWorkspace } from '../support/gatehouse.js';
import { App, approve, Browser, connect, REDIRECT_URI } from '../support/oauth.js';

/** What our own page says to the browser instead of asking for consent. */
async function refusalOf(app: App, parameters: Record<string, string | undefined>): Promise<string> {
  const { owner } = await newWorkspace();
  const response = await new Browser(baseUrl(), owner.cookie).get(app.authorizationUrl(parameters));
  const location = new URL(response.headers.get('location')!, baseUrl());
  expect(`${location.origin}${location.pathname}`).toBe(`${baseUrl()}/connect/error`);
  return location.searchParams.get('error')!;
}

async function codeFor(app: App): Promise<string> {
  const { owner, slug } = await newWorkspace();
  return (await app.code(new Browser(baseUrl(), owner.cookie), { workspace: slug })).get('code')!;
}

describe('a code', () => {
  it('works once: a second use ends what the first has brought', async () => {
    const app = await App.registered();
    const code = await codeFor(app);
    const { body } = await app.exchange(code);
    expect((await client({ token: body.access_token }).get('/v1/runs')).status).toBe(200);
    const again = await app.exchange(code);
    expect([again.status, again.body.error]).toEqual([400, 'invalid_grant']);
    expect((await client({ token: body.access_token }).get('/v1/runs')).status).toBe(401);
    expect((await app.refresh(body.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('works for one of many who come at once at most', async () => {
    const app = await App.registered();
    const code = await codeFor(app);
    const answers = await Promise.all(Array.from({ length: 5 }, () => app.exchange(code)));
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    for (const { status, body } of answers) {
      if (status !== 200) continue;
      await expect
        .poll(async () => (await client({ token: body.access_token }).get('/v1/runs')).status)
        .toBe(401);
    }
  });

  it('works only with its verifier, its redirect URI, its app and its resource', async () => {
    const app = await App.registered();
    const other = await App.registered();
    const wrong: Record<string, string>[] = [
      { code_verifier: 'x'.repeat(43) },
      { redirect_uri: 'http://127.0.0.1:53123/other' },
      { client_id: other.clientId },
      { resource: 'https://elsewhere.example/mcp' },
    ];
    for (const parameters of wrong) {
      const answer = await app.exchange(await codeFor(app), parameters);
      expect(answer.status, JSON.stringify(parameters)).toBe(400);
      expect(answer.body).not.toHaveProperty('access_token');
    }
  });
});

describe('a request', () => {
  it('must use PKCE with S256, a registered redirect URI and this resource', async () => {
    const app = await App.registered();
    expect(await refusalOf(app, { code_challenge_method: 'plain' })).toBe('invalid_request');
    expect(await refusalOf(app, { code_challenge: undefined, code_challenge_method: undefined })).toBe(
      'invalid_request',
    );
    expect(await refusalOf(app, { resource: 'https://elsewhere.example/mcp' })).toBe('invalid_target');
    expect(await refusalOf(app, { response_type: 'token' })).toBe('unsupported_response_type');
    for (const redirect_uri of ['https://evil.example/', `${REDIRECT_URI}/..`, `${REDIRECT_URI}?a=1`]) {
      expect(await refusalOf(app, { redirect_uri }), redirect_uri).toBe('invalid_redirect_uri');
    }
    expect(await refusalOf(new App('nobody', baseUrl()), {})).toBe('invalid_client');
  });

  it('shows a browser our own page, without the text of whoever sent it', async () => {
    const response = await fetch(`${baseUrl()}/oauth/authorize?client_id=%3Cscript%3E`, {
      redirect: 'manual',
      headers: { accept: 'text/html' },
    });
    expect([response.status, response.headers.get('location')]).toEqual([
      303,
      '/connect/error?error=invalid_client',
    ]);
  });

  it('sets no cookies but its own two, for its own pages', async () => {
    const { owner } = await newWorkspace();
    const app = await App.registered();
    const response = await fetch(new URL(app.authorizationUrl(), baseUrl()), {
      redirect: 'manual',
      headers: { cookie: owner.cookie },
    });
    const uid = response.headers.get('location')!.split('/').at(-1)!;
    const cookies = response.headers.getSetCookie().map((line) => line.toLowerCase());
    expect(cookies).toHaveLength(2);
    expect(cookies[0]).toContain(`gatehouse_connect=${uid.toLowerCase()}; path=/connect/`);
    expect(cookies[1]).toContain(`gatehouse_connect_resume=${uid.toLowerCase()}; path=/oauth/authorize/`);
    for (const cookie of cookies) expect(cookie).toMatch(/httponly/);
  });
});

describe('whose consent it is', () => {
  it('does not sign in the sender of a consent page as the person who consents', async () => {
    const { owner: victim, slug } = await newWorkspace();
    for (const prompt of [undefined, 'login']) {
      const app = await App.registered();
      const attacker = new Browser(baseUrl(), null);
      const uid = await app.begin(attacker, { prompt });
      const redirectTo = await approve(new Browser(baseUrl(), victim.cookie), uid, { workspace: slug });
      const back = await attacker.get(redirectTo);
      expect(back.headers.get('location') ?? '').not.toContain('code=');
    }
  });

  it('does not give the code to a browser that did not begin', async () => {
    const { owner, slug } = await newWorkspace();
    const app = await App.registered();
    const uid = await app.begin(new Browser(baseUrl(), null));
    const victim = new Browser(baseUrl(), owner.cookie);
    const back = await victim.get(await approve(victim, uid, { workspace: slug }));
    expect(back.headers.get('location') ?? '').not.toContain('code=');
    expect((await client({ cookie: owner.cookie }).get('/v1/account/apps')).body.items).toHaveLength(1);
  });

  it('is nobody else’s to give than the person’s who began', async () => {
    const { owner } = await newWorkspace();
    const { owner: other, slug } = await newWorkspace();
    const app = await App.registered();
    const uid = await app.begin(new Browser(baseUrl(), owner.cookie));
    const api = client({ cookie: other.cookie });
    const input = { workspace: slug, scopes: ['runs:read'] };
    expect((await api.post(`/v1/account/app-requests/${uid}/approve`, input)).status).toBe(404);
  });

  it('is given in the app, not by a token, and not from a page of another site', async () => {
    const { owner, slug } = await newWorkspace();
    const app = await App.registered();
    const uid = await app.begin(new Browser(baseUrl(), owner.cookie));
    const path = `/v1/account/app-requests/${uid}/approve`;
    const input = { workspace: slug, scopes: ['runs:read'] };
    const { access_token: agent } = await connect(owner, { workspace: slug });
    for (const token of [owner.token, agent]) {
      expect((await client({ token, workspace: slug }).post(path, input)).status).toBe(403);
    }
    const foreign = await client({ cookie: owner.cookie }).post(path, input, {
      origin: 'https://evil.example',
    });
    expect(foreign.status).toBe(403);
  });
});

describe('refresh tokens', () => {
  it('of two who come at once, neither keeps anything', async () => {
    const { owner, slug } = await newWorkspace();
    const { app, refresh_token: refresh } = await connect(owner, { workspace: slug });
    const answers = await Promise.all([app.refresh(refresh), app.refresh(refresh)]);
    const won = answers.filter(({ status }) => status === 200);
    expect(won.length).toBeLessThanOrEqual(1);
    for (const { body } of won) {
      await expect
        .poll(async () => (await client({ token: body.access_token }).get('/v1/runs')).status)
        .toBe(401);
    }
  });

  it('cannot be widened', async () => {
    const { owner, slug } = await newWorkspace();
    const tokens = await connect(owner, { workspace: slug, scopes: ['runs:read'] });
    const answer = await tokens.app.refresh(tokens.refresh_token, { scope: 'runs:read runs:write' });
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_scope']);
  });

  it('open nothing but new tokens', async () => {
    const { owner, slug } = await newWorkspace();
    const { refresh_token: token } = await connect(owner, { workspace: slug });
    expect((await client({ token }).get('/v1/runs')).status).toBe(401);
  });
});

it('keeps no code and no token readable in the database', async () => {
  const { owner, slug } = await newWorkspace();
  const app = await App.registered();
  const code = (await app.code(new Browser(baseUrl(), owner.cookie), { workspace: slug })).get('code')!;
  const { body } = await app.exchange(code);
  const { rows } = await database().query(
    `SELECT string_agg(t::text, '') || (SELECT string_agg(encode(payload, 'escape'), '') FROM oauth_artifacts) AS text
     FROM (SELECT to_jsonb(a) AS t FROM oauth_artifacts a UNION ALL SELECT to_jsonb(g) FROM agent_grants g
       UNION ALL SELECT to_jsonb(k) FROM agent_access_tokens k) AS everything`,
  );
  for (const secret of [code, body.access_token, body.refresh_token]) {
    expect(rows[0].text).not.toContain(secret);
    expect(rows[0].text).not.toContain(Buffer.from(secret).toString('hex'));
  }
});

it('ends the streams of an app that is disconnected', async () => {
  const { owner, slug } = await newWorkspace();
  const { access_token: token } = await connect(owner, { workspace: slug });
  const stream = await fetch(`${baseUrl()}/v1/workspace/events/stream`, {
    headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
  });
  expect(stream.status).toBe(200);
  const api = client({ cookie: owner.cookie });
  const [{ id }] = (await api.get('/v1/account/apps')).body.items;
  await api.delete(`/v1/account/apps/${id}`);
  await stream.text().catch(() => undefined);
});

it('takes no address of its own from a header', async () => {
  const { owner, slug } = await newWorkspace();
  const app = await App.registered();
  const answer = await client({
    cookie: owner.cookie,
    headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
  }).get(app.authorizationUrl());
  const uid = answer.headers.get('location')!.split('/').at(-1)!;
  const redirectTo = await approve(new Browser(baseUrl(), owner.cookie), uid, { workspace: slug });
  expect(redirectTo).toBe(`${baseUrl()}/oauth/authorize/${uid}`);
});

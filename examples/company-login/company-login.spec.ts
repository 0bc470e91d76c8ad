import { startGatehouse, type TestGatehouse } from '@gatehouse/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import companyLogin from './company-login.extension.js';
import { CompanyProvider } from './company-provider.js';

const WAY = '/v1/auth/ways/company-login';

describe('signing in at the company', () => {
  let provider: CompanyProvider;
  let gatehouse: TestGatehouse;

  beforeAll(async () => {
    provider = await new CompanyProvider().listen();
    const { issuer, client } = provider;
    const settings = { issuer, ...client, domains: 'acme.example', workspace: 'acme', title: 'Acme' };
    gatehouse = await startGatehouse({
      extensions: [companyLogin(settings)],
      env: { GATEHOUSE_OUTBOUND_ALLOW: '127.0.0.1' },
    });
    provider.serve(`${gatehouse.baseUrl}${WAY}/callback`);
    const owner = gatehouse.api.as(gatehouse.workspace.owner);
    await owner.post('/v1/workspaces', { name: 'Acme', slug: 'acme' });
    await gatehouse.api
      .as(gatehouse.workspace.owner, { slug: 'acme' })
      .post('/v1/workspace/teams', { name: 'Support' });
  });

  afterAll(async () => {
    await gatehouse?.stop();
    await provider?.[Symbol.asyncDispose]();
  });

  /** What a browser does: from the button to the page that it ends at, with the cookies of both. */
  const signIn = async (employee: string, groups: string[]) => {
    const email = `${employee}@acme.example`;
    provider.turn = employee;
    provider.employees.set(employee, { email, email_verified: true, name: 'Ada Lovelace', groups });
    const cookies = new Map<string, string>();
    const visit = async (url: string, body?: object): Promise<Response> => {
      const response = await fetch(url, {
        redirect: 'manual',
        headers: { cookie: [...cookies.values()].join('; '), 'content-type': 'application/json' },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      });
      for (const cookie of response.headers.getSetCookie()) {
        cookies.set(cookie.split('=')[0]!, cookie.split(';')[0]!);
      }
      return response;
    };
    const start = await visit(`${gatehouse.baseUrl}${WAY}/start`, { next: '/w/acme/scripts' });
    let url = ((await start.json()) as { redirectTo: string }).redirectTo;
    while (!url.endsWith('/w/acme/scripts') && !url.includes('/sign-in?problem=')) {
      url = new URL((await visit(url)).headers.get('location')!, url).href;
    }
    const { body } = await gatehouse.api.get('/v1/auth/session', {
      cookie: [...cookies.values()].join('; '),
    });
    return { url, me: body };
  };

  it('has a button', async () => {
    const { body } = await gatehouse.api.get('/v1/auth/ways');
    expect(body.items).toEqual([{ id: 'company-login', title: 'Acme' }]);
  });

  it('makes an account and a member of whoever is in a group, and keeps them as the company has them', async () => {
    const { url, me } = await signIn('ada', ['gatehouse-admins', 'team-support']);
    expect(url).toBe(`${gatehouse.baseUrl}/w/acme/scripts`);
    expect(me).toMatchObject({ email: 'ada@acme.example', name: 'Ada Lovelace' });
    expect(me.workspaces).toMatchObject([{ slug: 'acme', role: 'admin' }]);
    const owner = gatehouse.api.as(gatehouse.workspace.owner, { slug: 'acme' });
    const support = async () => (await owner.get('/v1/workspace/teams')).body.items[0].memberIds;
    expect(await support()).toEqual([me.id]);

    expect((await signIn('ada', ['gatehouse-users'])).me.workspaces).toMatchObject([{ role: 'member' }]);
    expect(await support()).toEqual([]);
    const gone = await signIn('ada', []);
    expect(gone.me).toMatchObject({ id: me.id, workspaces: [] });
  });

  it('is not for whoever is in no group', async () => {
    const { url, me } = await signIn('bob', ['everybody']);
    expect(url).toContain('/sign-in?problem=not_admitted');
    expect(me.error.code).toBe('unauthorized');
  });

  it('takes its settings and no others', () => {
    expect(() => companyLogin({ issuer: 'https://login.acme.example', clientID: 'x' })).toThrow(
      'CLIENT_ID is missing; CLIENT_SECRET is missing; DOMAINS is missing; WORKSPACE is missing; CLIENT_I_D is no setting of it.',
    );
  });
});

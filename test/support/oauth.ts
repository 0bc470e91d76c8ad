import { createHash, randomBytes, randomInt } from 'node:crypto';

import { type Client, createClient, type Json } from '../../libs/testing/index.js';
import { APP_SCOPES } from '../../src/core/access/scopes.js';
import { baseUrl as sharedBaseUrl, client } from './gatehouse.js';

/** Where the browser would be brought: nobody listens there. */
export const REDIRECT_URI = 'http://127.0.0.1:53123/callback';

export interface Tokens {
  access_token: string;
  refresh_token: string;
  token_type: string;
  expires_in: number;
  scope: string;
}

export interface Consent {
  workspace: string;
  scopes?: readonly string[];
  environment?: string | null;
  /** Slugs of the only scripts that there are for it. */
  scripts?: readonly string[];
  scriptTags?: readonly string[];
}

/** What a browser holds while it goes from page to page. */
export class Browser {
  /** As far as the service can tell: limits count by it. */
  private readonly address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
  private readonly cookies = new Map<string, { value: string; path: string }>();

  /** @param session `name=value`, where somebody is signed in */
  constructor(
    readonly baseUrl: string,
    public session: string | null,
  ) {}

  async get(address: string): Promise<Response> {
    const url = new URL(address, this.baseUrl);
    const headers: Record<string, string> = {
      cookie: this.cookiesFor(url.pathname),
      'x-forwarded-for': this.address,
    };
    const response = await fetch(url, { redirect: 'manual', headers });
    for (const line of response.headers.getSetCookie()) this.keep(line);
    return response;
  }

  private cookiesFor(path: string): string {
    const own = [...this.cookies]
      .filter(([, cookie]) => path.startsWith(cookie.path))
      .map(([name, { value }]) => `${name}=${value}`);
    return [...(this.session === null ? [] : [this.session]), ...own].join('; ');
  }

  private keep(line: string): void {
    const [pair = '', ...attributes] = line.split('; ');
    const [name = '', value = ''] = pair.split('=');
    const path = attributes.find((attribute) => attribute.toLowerCase().startsWith('path='))?.slice(5) ?? '/';
    if (value === '') this.cookies.delete(name);
    else this.cookies.set(name, { value, path });
  }
}

/** An app that signs in by OAuth, as its author would write it. */
export class App {
  readonly verifier = randomBytes(32).toString('base64url');
  readonly state = randomBytes(8).toString('hex');
  private readonly api: Client;

  constructor(
    readonly clientId: string,
    readonly baseUrl: string,
  ) {
    this.api = baseUrl === sharedBaseUrl() ? client() : createClient({ baseUrl });
  }

  static async registered(baseUrl = sharedBaseUrl(), metadata: object = {}): Promise<App> {
    const api = baseUrl === sharedBaseUrl() ? client() : createClient({ baseUrl });
    const answer = await api.post('/oauth/register', {
      client_name: 'An app',
      redirect_uris: [REDIRECT_URI],
      token_endpoint_auth_method: 'none',
      ...metadata,
    });
    if (answer.status !== 201) throw new Error(`Not registered: ${answer.text}`);
    return new App(answer.body.client_id, baseUrl);
  }

  authorizationUrl(parameters: Record<string, string | undefined> = {}): string {
    const all = {
      client_id: this.clientId,
      response_type: 'code',
      redirect_uri: REDIRECT_URI,
      scope: APP_SCOPES.join(' '),
      code_challenge: createHash('sha256').update(this.verifier).digest('base64url'),
      code_challenge_method: 'S256',
      resource: `${this.baseUrl}/mcp`,
      state: this.state,
      ...parameters,
    };
    const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return `/oauth/authorize?${new URLSearchParams(given).toString()}`;
  }

  /** Where the consent page is that the browser lands on. */
  async begin(browser: Browser, parameters?: Record<string, string | undefined>): Promise<string> {
    const response = await browser.get(this.authorizationUrl(parameters));
    const uid = /\/connect\/([\w-]+)$/.exec(response.headers.get('location') ?? '')?.[1];
    if (uid === undefined) {
      throw new Error(`No consent page: ${response.status} ${response.headers.get('location')}`);
    }
    return uid;
  }

  /** From the first click to the code, by a person who is signed in. */
  async code(browser: Browser, consent: Consent, parameters?: Record<string, string | undefined>) {
    const uid = await this.begin(browser, parameters);
    const back = await browser.get(await approve(browser, uid, consent));
    return new URL(back.headers.get('location')!).searchParams;
  }

  token(parameters: Record<string, string>): Promise<{ status: number; body: Json; headers: Headers }> {
    return this.form('/oauth/token', { client_id: this.clientId, ...parameters });
  }

  exchange(code: string, parameters: Record<string, string> = {}) {
    return this.token({
      grant_type: 'authorization_code',
      code,
      code_verifier: this.verifier,
      redirect_uri: REDIRECT_URI,
      ...parameters,
    });
  }

  refresh(token: string, parameters: Record<string, string> = {}) {
    return this.token({ grant_type: 'refresh_token', refresh_token: token, ...parameters });
  }

  form(path: string, parameters: Record<string, string>) {
    const body = new URLSearchParams(parameters).toString();
    return this.api.post(path, body, { 'content-type': 'application/x-www-form-urlencoded' });
  }
}

/** Says yes on the consent page. Gives where the browser goes on. */
export async function approve(browser: Browser, uid: string, consent: Consent): Promise<string> {
  const api = createClient({ baseUrl: browser.baseUrl, cookie: browser.session! });
  const answer = await api.post(`/v1/account/app-requests/${uid}/approve`, {
    scopes: APP_SCOPES,
    ...consent,
  });
  if (answer.status !== 200) throw new Error(`Not approved: ${answer.text}`);
  return answer.body.redirectTo;
}

/** Connects an app by the real flow: it signs a person in, they consent, it fetches its tokens. */
export async function connect(
  person: { cookie: string },
  consent: Consent,
  baseUrl = sharedBaseUrl(),
): Promise<Tokens & { app: App }> {
  const app = await App.registered(baseUrl);
  const parameters = await app.code(new Browser(app.baseUrl, person.cookie), consent);
  const { status, body } = await app.exchange(parameters.get('code')!);
  if (status !== 200) throw new Error(`No tokens: ${JSON.stringify(body)}`);
  return { ...body, app };
}

export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** Signs the command line in as `gatehouse login` does: it shows a code, and a person lets it in. */
export async function signInCommandLine(person: { cookie: string }, consent: Consent): Promise<Tokens> {
  const { scopes = APP_SCOPES, ...place } = consent;
  const app = new App('gatehouse-cli', sharedBaseUrl());
  const { body: asked } = await app.form('/oauth/device', {
    client_id: app.clientId,
    scope: APP_SCOPES.join(' '),
  });
  const input = { userCode: asked.user_code, scopes, ...place };
  const approved = await client({ cookie: person.cookie }).post('/v1/account/device-requests/approve', input);
  if (approved.status !== 200) throw new Error(`Not approved: ${approved.text}`);
  const { status, body } = await app.token({ grant_type: DEVICE_GRANT, device_code: asked.device_code });
  if (status !== 200) throw new Error(`No tokens: ${JSON.stringify(body)}`);
  return body;
}

import { beforeAll, describe, expect, it } from 'vitest';

import type { TestWorkspace } from '../../libs/testing/index.js';
import { baseUrl, client, newWorkspace } from '../support/gatehouse.js';
import { App, approve, Browser, connect, REDIRECT_URI } from '../support/oauth.js';

type Parameters = Record<string, string | undefined>;

/** Each is refused before anybody is asked, with the error by which the protocol calls it. */
const REFUSED: Record<string, [error: string, parameters: Parameters]> = {
  'a request that nobody is to be asked about': ['interaction_required', { prompt: 'none' }],
  'a response type that there is not': ['unsupported_response_type', { response_type: 'token' }],
  'no response type': ['invalid_request', { response_type: undefined }],
  'a resource that is not ours': ['invalid_target', { resource: 'https://elsewhere.example/mcp' }],
  'no proof of who began': [
    'invalid_request',
    { code_challenge: undefined, code_challenge_method: undefined },
  ],
  'a request inside the request': ['request_not_supported', { request: 'e30.e30.' }],
  'a prompt that there is not': ['invalid_request', { prompt: 'whatever' }],
  'a page of its own that takes the answer': ['unsupported_response_mode', { response_mode: 'form_post' }],
  'an answer behind the hash': ['unsupported_response_mode', { response_mode: 'fragment' }],
  'an answer to another window': ['unsupported_response_mode', { response_mode: 'web_message' }],
  'a signed answer': ['unsupported_response_mode', { response_mode: 'query.jwt' }],
};
const ALWAYS_OURS = 'unsupported_response_mode';

let workspace: TestWorkspace;
let stranger: App;
let connected: App;

beforeAll(async () => {
  workspace = await newWorkspace();
  stranger = await App.registered();
  ({ app: connected } = await connect(workspace.owner, { workspace: workspace.slug }));
});

/** Where a request of the app brings a browser: of somebody who is signed in, or of nobody. */
async function landing(app: App, session: string | null, parameters: Parameters): Promise<string | null> {
  const response = await new Browser(baseUrl(), session).get(app.authorizationUrl(parameters));
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(await response.text()).not.toContain('<form');
  return response.headers.get('location');
}

describe('an app that a person has never connected', () => {
  it.each(Object.entries(REFUSED))(
    'can neither send them on nor find out whether they are signed in: %s',
    async (_, [error, parameters]) => {
      const ours = `/connect/error?error=${error}`;
      expect(await landing(stranger, workspace.owner.cookie, parameters)).toBe(ours);
      expect(await landing(stranger, null, parameters)).toBe(ours);
      // Nor by an app that others have connected.
      expect(await landing(connected, null, parameters)).toBe(ours);
      const { owner: other } = await newWorkspace();
      expect(await landing(connected, other.cookie, parameters)).toBe(ours);
    },
  );

  it('hears that they said no', async () => {
    const browser = new Browser(baseUrl(), workspace.owner.cookie);
    const uid = await stranger.begin(browser);
    const api = client({ cookie: workspace.owner.cookie });
    const { body } = await api.post(`/v1/account/app-requests/${uid}/deny`);
    const back = await browser.get(body.redirectTo);
    expect(back.headers.get('location')).toContain(`${REDIRECT_URI}?error=access_denied`);
  });
});

describe('an app that a person has connected', () => {
  it.each(Object.entries(REFUSED))('is told what is wrong, as the protocol says: %s', async (_, refused) => {
    const [error, parameters] = refused;
    const location = await landing(connected, workspace.owner.cookie, parameters);
    if (error === ALWAYS_OURS) return expect(location).toBe(`/connect/error?error=${error}`);
    expect(location).toMatch(new RegExp(`^${REDIRECT_URI}[?#]error=${error}&`));
  });

  it('is a stranger again once they have disconnected it', async () => {
    const { app } = await connect(workspace.owner, { workspace: workspace.slug });
    const silently = () => landing(app, workspace.owner.cookie, { prompt: 'none' });
    expect(await silently()).toContain(REDIRECT_URI);
    const api = client({ cookie: workspace.owner.cookie });
    const [{ id }] = (await api.get('/v1/account/apps')).body.items;
    await api.delete(`/v1/account/apps/${id}`);
    expect(await silently()).toBe('/connect/error?error=interaction_required');
  });
});

it('a consent that another account gave leads to our own page, not to a page that signs anybody out', async () => {
  const { owner: other, slug } = await newWorkspace();
  const browser = new Browser(baseUrl(), null);
  const uid = await stranger.begin(browser, { prompt: 'login' });
  const redirectTo = await approve(new Browser(baseUrl(), other.cookie), uid, { workspace: slug });
  browser.session = workspace.owner.cookie;
  const back = await browser.get(redirectTo);
  expect(await back.text()).not.toContain('<form');
  expect(back.headers.get('location')).toMatch(/^\/connect\/error\?error=/);
});

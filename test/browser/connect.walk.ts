import { afterAll, beforeAll, expect, it } from 'vitest';

import { AppCallback, BACK } from '../support/app-callback.js';
import { DESK, describeWalk, expectAccessible, expectNoSidewaysScroll, PHONE } from '../support/browser.js';
import { baseUrl, client, newWorkspace } from '../support/gatehouse.js';
import { App, connect } from '../support/oauth.js';
import { python } from '../support/scripts.js';

describeWalk('connecting an app', (browser) => {
  let callback: AppCallback;
  let redirectUri: string;
  beforeAll(async () => {
    callback = await AppCallback.open();
    ({ redirectUri } = callback);
  });
  afterAll(() => callback.close());

  it('is for the person to decide, who signs in on the way', async () => {
    const { owner } = await newWorkspace();
    const app = await App.registered(baseUrl(), {
      client_name: 'Helpful agent',
      redirect_uris: [redirectUri],
    });
    const page = await browser.page(baseUrl(), null, PHONE);
    const scope = 'scripts:read runs:read runs:write workspace.secrets:write';
    await page.goto(app.authorizationUrl({ redirect_uri: redirectUri, scope }));
    await page.getByLabel('E-mail').fill(owner.email);
    await page.getByRole('textbox', { name: 'Password' }).fill(owner.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Connect Helpful agent' }).waitFor();
    await page.getByText('nobody vouches for its name').waitFor();
    await page.getByText('Any program on this computer').waitFor();
    expect(await page.getByLabel('Secrets: set and delete secrets').isChecked()).toBe(false);
    await page.getByLabel('Runs: start and cancel runs').uncheck();
    await page.getByLabel('Environments').selectOption({ label: 'Only production' });
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await page.getByText(BACK).waitFor();
    const code = (await callback.next()).get('code')!;
    const { body } = await app.exchange(code, { redirect_uri: redirectUri });
    expect(body.scope.split(' ').sort()).toEqual(['runs:read', 'scripts:read']);
    const agent = client({ token: body.access_token });
    expect((await agent.get('/v1/runs')).status).toBe(200);

    await page.goto('/account');
    await page.getByText('Helpful agent').waitFor();
    await page.getByText(`only production`).waitFor();
    await page.getByRole('button', { name: 'Disconnect Helpful agent' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
    await page.getByText('No app yet').waitFor();
    expect((await agent.get('/v1/runs')).status).toBe(401);
  });

  it('is done by a code for a device, and can be refused', async () => {
    const { owner } = await newWorkspace();
    const device = new App('gatehouse-cli', baseUrl());
    const { body } = await device.form('/oauth/device', { client_id: 'gatehouse-cli' });
    const page = await browser.page(baseUrl(), owner);
    await page.goto(new URL(body.verification_uri_complete).pathname + `?user_code=${body.user_code}`);
    expect(await page.getByLabel('Code').inputValue()).toBe(body.user_code);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByText(`Does the device show ${body.user_code}?`).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await page.getByText('The device is connected').waitFor();
    const tokens = await device.token({
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: body.device_code,
    });
    expect(tokens.status).toBe(200);

    const app = await App.registered(baseUrl(), { redirect_uris: [redirectUri] });
    await page.goto(app.authorizationUrl({ redirect_uri: redirectUri }));
    await page.getByRole('button', { name: 'Do not allow' }).click();
    await page.getByText(BACK).waitFor();
    expect((await callback.next()).get('error')).toBe('access_denied');
  });

  it('says why a request cannot be taken', async () => {
    const page = await browser.page(baseUrl(), null);
    await page.goto('/oauth/authorize?client_id=nobody');
    await page.getByRole('heading', { name: 'The app cannot be connected' }).waitFor();
    await page.getByText('The app is not known here').waitFor();
    await expectAccessible(page);
  });

  it.each([
    ['at a desk', DESK, 'light'],
    ['on a phone in the dark', PHONE, 'dark'],
  ] as const)('is told how, and shows once it is done, %s', async (_, viewport, colorScheme) => {
    const { owner, slug } = await newWorkspace();
    const script = await python(client({ token: owner.token, workspace: slug }), 'pass');
    const page = await browser.page(baseUrl(), owner, viewport);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.goto(`/w/${slug}/-/agents`);
    await page.getByRole('link', { name: 'Connect an agent' }).click();
    await page.getByText(script.slug).waitFor();
    await page.getByText('None yet.').waitFor();
    await page.getByText(`claude mcp add --transport http gatehouse ${baseUrl()}/mcp`).waitFor();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await page.getByRole('tab', { name: 'VS Code' }).click();
    expect(await page.getByRole('link', { name: 'Add to VS Code' }).getAttribute('href')).toContain(
      'vscode:mcp/install?',
    );
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);

    await connect(owner, { workspace: slug });
    await page.getByText('never used').waitFor();
  });
});

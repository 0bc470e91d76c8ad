import { afterAll, beforeAll, expect, it } from 'vitest';

import { AppCallback, BACK } from '../support/app-callback.js';
import { describeWalk } from '../support/browser.js';
import { baseUrl, client, newWorkspace } from '../support/gatehouse.js';
import { said, VERSIONS } from '../support/mcp.js';
import { python } from '../support/scripts.js';
import { SigningInClient } from '../support/signing-in-client.js';

describeWalk('an app that needs more than it was granted', (browser) => {
  let callback: AppCallback;
  beforeAll(async () => {
    callback = await AppCallback.open();
  });
  afterAll(() => callback.close());

  it.each(VERSIONS)('asks its person for it, and goes on (%s)', async (version) => {
    const { owner, slug } = await newWorkspace();
    const api = client({ token: owner.token, workspace: slug });
    const script = await python(api, 'print("Hello")', { command: 'python main.py' });
    const page = await browser.page(baseUrl(), owner);
    /** Says yes to everything that is ticked but these. */
    const consent =
      (without: string[] = []) =>
      async (address: URL) => {
        await page.goto(address.href);
        await page.getByRole('heading', { name: 'Connect Growing agent' }).waitFor();
        for (const label of without) await page.getByLabel(label).uncheck();
        await page.getByRole('button', { name: 'Allow', exact: true }).click();
        await page.getByText(BACK).waitFor();
        return callback.next();
      };
    const nobody = (address: URL) => Promise.reject(new Error(`A person was asked: ${address}`));

    const app = new SigningInClient('Growing agent', callback.redirectUri, version);
    const scopes = () => app.memory.granted!.scope!.split(' ');
    await app.connect(consent(['Runs: start and cancel runs']));
    expect(scopes()).toContain('scripts:read');
    expect(scopes()).not.toContain('runs:write');
    await app.callTool('list_scripts', {}, nobody);

    const ran = said(await app.callTool(script.slug, {}, consent()));
    expect([ran.isError, ran.text]).toEqual([false, expect.stringContaining('Hello')]);
    expect(app.memory.asked!.searchParams.get('scope')!.split(' ')).toEqual(
      expect.arrayContaining(['scripts:read', 'runs:write']),
    );
    expect(scopes()).toContain('runs:write');

    // Not among what it asked for when it registered.
    const endpoints = said(await app.callTool('list_webhook_endpoints', {}, consent()));
    expect(endpoints.isError).toBe(false);
    expect(scopes()).toEqual(expect.arrayContaining(['runs:write', 'workspace.webhooks:read']));
    await app.callTool(script.slug, {}, nobody);
    await app.close();
  });

  it('gets no further where its person says no', async () => {
    const { owner } = await newWorkspace();
    const page = await browser.page(baseUrl(), owner);
    const answer = (button: string) => async (address: URL) => {
      await page.goto(address.href);
      await page.getByRole('button', { name: button, exact: true }).click();
      await page.getByText(BACK).waitFor();
      return callback.next();
    };
    const app = new SigningInClient('Growing agent', callback.redirectUri, '2026-07-28');
    await app.connect(answer('Allow'));
    const before = app.memory.granted;
    await expect(app.callTool('list_webhook_endpoints', {}, answer('Do not allow'))).rejects.toThrow(
      'the person said no',
    );
    expect(app.memory.granted).toEqual(before);
    expect(said(await app.callTool('list_scripts', {}, answer('Allow'))).isError).toBe(false);
    await app.close();
  });
});

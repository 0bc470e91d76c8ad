import { expect, it } from 'vitest';

import type { Json } from '../../libs/testing/index.js';
import { DESK, PHONE, describeWalk, expectAccessible, expectNoSidewaysScroll } from '../support/browser.js';
import { baseUrl, client, newWorkspace } from '../support/gatehouse.js';

describeWalk('an API key', (browser) => {
  it.each([
    ['at a desk', DESK],
    ['on a phone', PHONE],
  ])('is made with scopes and an end, and its list says how long it has, %s', async (_, viewport) => {
    const { owner, slug } = await newWorkspace();
    const page = await browser.page(baseUrl(), owner, viewport);
    await page.goto(`/w/${slug}/-/settings/api-keys`);
    await page.getByRole('button', { name: 'New API key' }).click();
    const dialog = page.getByRole('dialog', { name: 'New API key' });
    await dialog.getByLabel('Name').fill('Nightly agent');
    await dialog.getByLabel('It ends after').selectOption('7');
    await dialog.getByLabel('Only this').check();
    await dialog.getByRole('button', { name: 'Make the key' }).click();
    await dialog.getByText('Choose at least one.').waitFor();
    await dialog.getByRole('group', { name: 'Runs' }).getByLabel('See runs, logs and output').check();
    await dialog.getByLabel('Connect to /mcp without a person').check();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await dialog.getByRole('button', { name: 'Make the key' }).click();
    const key = await dialog.locator('code').filter({ hasText: 'svc_sk_' }).innerText();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Only: Runs (read only); connect by MCP').waitFor();
    await page.getByText('ends in 6 days').waitFor();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    // The audit log says which one it was, and what it may do.
    await page.goto(`/w/${slug}/-/settings/audit`);
    await page.getByText('scopes runs:read, mcp').waitFor();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    const app = client({ cookie: owner.cookie, workspace: slug });
    const [listed] = (await app.get('/v1/workspace/api-keys')).body.items as Json[];
    expect(listed).toMatchObject({ name: 'Nightly agent', scopes: ['runs:read', 'mcp'] });
    const api = client({ token: key.trim() });
    expect((await api.get('/v1/runs')).status).toBe(200);
    expect((await api.get('/v1/scripts')).status).toBe(403);
  });
});

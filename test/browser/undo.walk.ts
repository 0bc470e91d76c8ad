import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';

import { DESK, PHONE, describeWalk, expectAccessible, expectNoSidewaysScroll } from '../support/browser.js';
import { baseUrl, client, newWorkspace } from '../support/gatehouse.js';
import { python } from '../support/scripts.js';
import { workspaceWithError } from '../support/workspaces-with.js';

describeWalk('what was done', (browser) => {
  it.each([
    ['at a desk', DESK],
    ['on a phone', PHONE],
  ])('to a script or its schedule is undone, %s', async (_, viewport) => {
    const { owner, slug } = await newWorkspace();
    const api = client({ token: owner.token, workspace: slug });
    const script = await python(api, 'print(1)');
    const path = `/v1/scripts/${script.slug}`;
    const created = await api.post(`${path}/schedules`, { name: 'Nightly', cron: '0 3 * * *', inputs: {} });
    expect(created.status, created.text).toBe(201);
    const isOn = async (): Promise<boolean> =>
      (await api.get(`${path}/schedules`)).body.items[0].enabled as boolean;
    const page = await browser.page(baseUrl(), owner, viewport);
    await page.goto(`/w/${slug}/-/scripts/${script.slug}/schedules`);
    await page.getByRole('switch', { name: 'Nightly is on' }).press('Space');
    await page.getByText('Nightly is off.').waitFor();
    // With the focus there, it is offered on.
    await page.keyboard.press('z');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Undo');
    expect(await isOn()).toBe(false);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await undo(page);
    await page.getByText('Nightly is on again.').waitFor();
    expect(await isOn()).toBe(true);

    await page.goto(`/w/${slug}/-/scripts/${script.slug}/settings`);
    await page.getByRole('button', { name: 'Archive', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click();
    await page.getByText('is archived.').waitFor();
    await holdOffer(page);
    expect((await api.get(path)).body.status).toBe('archived');
    await undo(page);
    await page.getByText('Version 1 is published again.').waitFor();
    expect((await api.get(path)).body).toMatchObject({ status: 'published', publishedVersion: 1 });
  });

  it('to an error is undone, whatever it was before', async () => {
    const { owner, slug, api, errorId: id } = await workspaceWithError();
    const status = async (): Promise<string> => (await api.get(`/v1/errors/${id}`)).body.status as string;
    const page = await browser.page(baseUrl(), owner);
    await page.goto(`/w/${slug}/-/errors/${id}`);
    await page.getByRole('button', { name: 'Resolve' }).click();
    await page.getByText('The error is resolved.').waitFor();
    await undo(page);
    await expect.poll(status).toBe('open');
    await page.getByRole('button', { name: 'Ignore' }).click();
    await page.getByRole('menuitem', { name: 'For a week' }).click();
    await expect.poll(status).toBe('ignored');
    const { ignoreUntil } = (await api.get(`/v1/errors/${id}`)).body;
    await page.getByRole('button', { name: 'Resolve' }).click();
    // Only the last one can be undone.
    await page.getByText('The error is ignored.').waitFor({ state: 'detached' });
    await holdOffer(page);
    await expect.poll(status).toBe('resolved');
    await undo(page);
    await expect.poll(status).toBe('ignored');
    expect((await api.get(`/v1/errors/${id}`)).body.ignoreUntil).toBe(ignoreUntil);
  });

  it('is not offered to be undone in another environment', async () => {
    const { owner, slug } = await newWorkspace();
    const api = client({ token: owner.token, workspace: slug });
    await api.post('/v1/workspace/environments', { name: 'staging' });
    const script = await python(api, 'print(1)');
    const path = `/v1/scripts/${script.slug}`;
    await api.post(`${path}/schedules`, { name: 'Nightly', cron: '0 3 * * *', inputs: {} });
    const page = await browser.page(baseUrl(), owner);
    await page.goto(`/w/${slug}/-/scripts/${script.slug}/schedules`);
    await page.getByRole('switch', { name: 'Nightly is on' }).press('Space');
    await page.getByText('Nightly is off.').waitFor();
    // With the mouse there, it does not go by itself.
    await page.getByRole('button', { name: 'Undo' }).hover();
    await page.getByRole('button', { name: /^Environment .*; switch$/ }).press('Enter');
    await page.getByRole('menuitem', { name: 'staging' }).press('Enter');
    await page.waitForURL(`**/w/${slug}/staging/**`);
    await page.getByText('Nightly is off.').waitFor({ state: 'detached' });
  });

  it('to a view of runs is undone, and its name can be another', async () => {
    const { owner, slug } = await newWorkspace();
    const api = client({ token: owner.token, workspace: slug });
    await api.post('/v1/workspace/views', {
      list: 'runs',
      name: 'Bad',
      search: 'status=failed',
      shared: false,
    });
    const names = async (): Promise<string[]> =>
      (await api.get('/v1/workspace/views')).body.items.map(({ name }: { name: string }) => name);
    const page = await browser.page(baseUrl(), owner, PHONE);
    await page.goto(`/w/${slug}/-/runs?status=failed`);
    await page.getByRole('button', { name: 'Bad' }).click();
    await page.getByRole('menuitem', { name: 'Rename this view…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Rename the view' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Failed ones');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Rename' }).press('Enter');
    await page.getByRole('button', { name: 'Failed ones' }).click();
    await page.getByRole('menuitem', { name: 'Delete this view' }).click();
    await holdOffer(page);
    await expect.poll(names).toEqual([]);
    await undo(page);
    await page.getByRole('button', { name: 'Failed ones' }).waitFor();
    expect(await names()).toEqual(['Failed ones']);
  });
});

/** It goes by itself, but not with the focus there. */
async function holdOffer(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Undo' }).focus();
}

async function undo(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Undo' }).press('Enter');
  await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' });
}

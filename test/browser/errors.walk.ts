import { expect, it } from 'vitest';

import { DESK, PHONE, describeWalk, expectAccessible, expectNoSidewaysScroll } from '../support/browser.js';
import { baseUrl } from '../support/gatehouse.js';
import { workspaceWithError } from '../support/workspaces-with.js';

describeWalk('an error', (browser) => {
  it.each([
    ['at a desk', DESK],
    ['on a phone', PHONE],
  ])('is found, resolved and opened again, %s', async (_, viewport) => {
    const { owner, slug, api, script } = await workspaceWithError();
    const page = await browser.page(baseUrl(), owner, viewport);
    await page.goto(`/w/${slug}/-/errors`);
    await page.getByRole('link', { name: 'ValueError: no such city' }).waitFor();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);

    await page.getByRole('link', { name: 'ValueError: no such city' }).click();
    await page.getByText('Traceback (most recent call last):').waitFor();
    await page.getByRole('table', { name: 'Its runs' }).waitFor();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await page.getByRole('button', { name: 'Resolve' }).click();
    await page.getByText('The error is resolved.').waitFor();
    await page.getByRole('button', { name: 'Ignore' }).click();
    await page.getByRole('menuitem', { name: 'For a week' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('menuitem', { name: 'For a week' }).click();
    await page.getByText('The error is ignored.').waitFor();
    await page.getByRole('button', { name: 'Reopen' }).click();
    await page.getByText('The error is open again.').waitFor();
    const { body } = await api.get('/v1/errors');
    // What has ended is counted some seconds later.
    await expect
      .poll(async () => (await api.get(`/v1/runs/statistics?script=${script.slug}`)).body.versions.length)
      .toBe(1);
    await page.goto(`/w/${slug}/-/scripts/${script.slug}/insights`);
    await page.getByRole('table', { name: 'By version' }).getByText('Version 1').waitFor();
    await page.getByRole('region', { name: 'Top errors' }).getByText('ValueError: no such city').waitFor();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    expect(body.items).toMatchObject([{ status: 'open' }]);
  });
});

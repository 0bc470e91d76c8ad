import { expect, it } from 'vitest';

import { DESK, PHONE, describeWalk, expectAccessible, expectNoSidewaysScroll } from '../support/browser.js';
import { baseUrl, client, newWorkspace } from '../support/gatehouse.js';
import { python } from '../support/scripts.js';

describeWalk('runs', (browser) => {
  it.each([
    ['at a desk', DESK],
    ['on a phone', PHONE],
  ])('are found by words and by labels, %s', async (_, viewport) => {
    const { owner, slug } = await newWorkspace();
    const api = client({ token: owner.token, workspace: slug });
    const script = await python(api, 'print(1)');
    const start = async (labels: object): Promise<string> =>
      (await api.post(`/v1/scripts/${script.slug}/runs`, { labels })).body.id as string;
    // By the length of their names, which is the order in which they are kept.
    const more = { long_note: `a long one: ${'word '.repeat(40)}`, second_one: '1', third_label: '2' };
    const acme = await start({ customer: 'acme', ...more });
    await start({ customer: 'other' });
    await expect.poll(async () => (await api.get('/v1/runs?q=acme')).body.items).toHaveLength(1);

    const page = await browser.page(baseUrl(), owner, viewport);
    await page.goto(`/w/${slug}/-/runs`);
    await page.getByRole('link', { name: 'customer=other' }).waitFor();
    await page.getByText('1 more').waitFor();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);

    const words = page.getByRole('searchbox', { name: 'Search runs' });
    await words.fill('acm');
    await page.getByRole('link', { name: 'customer=other' }).waitFor({ state: 'detached' });
    await page.waitForURL(/[?&]q=acm/);
    await page.reload();
    await page.getByRole('link', { name: 'customer=acme' }).waitFor();
    expect(await words.inputValue()).toBe('acm');
    await words.fill('nowhere');
    await page.getByText('No run like that').waitFor();
    await page.getByRole('button', { name: 'Show all runs' }).click();

    await page.getByRole('link', { name: 'customer=other' }).click();
    await page.getByRole('link', { name: 'customer=acme' }).waitFor({ state: 'detached' });
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Without the label customer=other' }).click();
    await page.getByRole('link', { name: 'customer=acme' }).waitFor();

    await page.goto(`/w/${slug}/-/runs/${acme}`);
    await page.getByRole('link', { name: 'third_label=2' }).waitFor();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await page.getByRole('link', { name: 'customer=acme' }).click();
    await page.getByRole('button', { name: 'Without the label customer=acme' }).waitFor();
  });

  it('are found again by a saved view', async () => {
    const { owner, slug } = await newWorkspace();
    const api = client({ token: owner.token, workspace: slug });
    const script = await python(api, 'print(1)');
    for (const customer of ['acme', 'other'])
      await api.post(`/v1/scripts/${script.slug}/runs`, { labels: { customer } });

    const page = await browser.page(baseUrl(), owner, PHONE);
    await page.goto(`/w/${slug}/-/runs?label=customer%3Dacme`);
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Save as a view…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save as a view' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Of Acme');
    await dialog.getByRole('checkbox', { name: 'For everyone in the workspace' }).check();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Of Acme' }).waitFor();

    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByRole('link', { name: 'customer=other' }).waitFor();
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Of Acme' }).click();
    await page.getByRole('link', { name: 'customer=other' }).waitFor({ state: 'detached' });
    await expectNoSidewaysScroll(page);

    await page.getByRole('button', { name: 'Of Acme' }).click();
    await page.getByRole('menuitem', { name: 'Delete this view' }).click();
    await page.getByRole('button', { name: 'Delete the view' }).click();
    await page.getByRole('button', { name: 'Views' }).waitFor();
    expect((await api.get('/v1/workspace/views')).body.items).toEqual([]);
  });
});

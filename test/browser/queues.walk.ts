import { expect, it } from 'vitest';

import { DESK, PHONE, describeWalk, expectAccessible, expectNoSidewaysScroll } from '../support/browser.js';
import { baseUrl, client, newWorkspace } from '../support/gatehouse.js';
import { python, run } from '../support/scripts.js';

describeWalk('a queue', (browser) => {
  it.each([
    ['at a desk', DESK],
    ['on a phone', PHONE],
  ])('is made, given a script, paused and resumed, %s', async (_, viewport) => {
    const { owner, slug } = await newWorkspace();
    const app = client({ cookie: owner.cookie, workspace: slug });
    const script = await python(app, 'print(1)', { timeout: 60 });
    const page = await browser.page(baseUrl(), owner, viewport);
    await page.goto(`/w/${slug}/-/settings/queues`);
    await page.getByText('No queue yet').waitFor();
    await page.getByRole('button', { name: 'New queue' }).click();
    const dialog = page.getByRole('dialog', { name: 'New queue' });
    await dialog.getByLabel('Name').fill('imports');
    await dialog.getByLabel('Runs at once').fill('2');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Make the queue' }).click();
    await page.getByText('The queue is made.').waitFor();

    await page.goto(`/w/${slug}/-/scripts/${script.slug}/settings`);
    await page.getByRole('combobox', { name: 'Queue' }).click();
    await page.getByRole('option', { name: 'imports' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('is saved.').waitFor();

    await page.goto(`/w/${slug}/-/settings/queues`);
    const actions = page.getByRole('button', { name: 'Actions for the queue imports' });
    await actions.click();
    await page.getByRole('menuitem', { name: 'Pause' }).click();
    await page.getByText('imports is paused.').waitFor();
    await page.getByText('paused', { exact: true }).waitFor();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    const { body } = await run(app, script);
    await page.goto(`/w/${slug}/-/runs/${body.id as string}`);
    await page.getByText('The queue “imports” is paused').first().waitFor();
    const queue = (await app.get('/v1/workspace/queues/imports')).body;
    expect(queue).toMatchObject({ limit: 2, paused: true, waiting: 1, scripts: [{ slug: script.slug }] });

    await page.goto(`/w/${slug}/-/settings/queues`);
    await actions.click();
    await page.getByRole('menuitem', { name: 'Resume' }).click();
    await page.getByText('imports goes on.').waitFor();
  });
});

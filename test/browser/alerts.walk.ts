import { expect, it } from 'vitest';

import { DESK, PHONE, describeWalk, expectAccessible, expectNoSidewaysScroll } from '../support/browser.js';
import { baseUrl, client, newWorkspace } from '../support/gatehouse.js';

describeWalk('an alert rule', (browser) => {
  it.each([
    ['at a desk', DESK],
    ['on a phone', PHONE],
  ])('is made, tried and switched off, %s', async (_, viewport) => {
    const { owner, slug } = await newWorkspace();
    const page = await browser.page(baseUrl(), owner, viewport);
    await page.goto(`/w/${slug}/-/settings/alerts`);
    await page.getByText('No alert rule yet').waitFor();
    await page.getByRole('button', { name: 'New rule' }).click();
    const dialog = page.getByRole('dialog', { name: 'New alert rule' });
    await dialog.getByLabel('Name').fill('Nightly');
    await dialog.getByLabel('Address').fill('https://receiver.example.invalid/T0p-s3cret');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Make the rule' }).click();
    await page.getByText('The rule is made.').waitFor();
    await page.getByText('Slack, receiver.example.invalid').waitFor();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);

    const actions = page.getByRole('button', { name: 'Actions for the alert rule Nightly' });
    await actions.click();
    await page.getByRole('menuitem', { name: 'Send a test' }).click();
    const messages = page.getByRole('dialog', { name: 'Messages of Nightly' });
    await messages.getByText('given up. A test.').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');

    await actions.click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const editing = page.getByRole('dialog', { name: 'Edit the rule Nightly' });
    await editing.getByLabel('A run that takes so many times what is usual').fill('3');
    await expectAccessible(page);
    await editing.getByRole('button', { name: 'Save' }).click();
    await page.getByText('A run that takes 3 times what is usual').waitFor();
    await page.getByText('Slack, receiver.example.invalid').waitFor();

    await actions.click();
    await page.getByRole('menuitem', { name: 'Switch off' }).click();
    await page.getByText('Nightly is off.').waitFor();
    await page.getByText('off', { exact: true }).waitFor();
    const { body } = await client({ cookie: owner.cookie, workspace: slug }).get('/v1/alerts');
    expect(body.items).toMatchObject([
      { name: 'Nightly', enabled: false, slow: { seconds: null, factor: 3 } },
    ]);
  });
});

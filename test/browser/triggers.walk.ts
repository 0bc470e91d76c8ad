import { expect, it } from 'vitest';

import { describeWalk, expectAccessible } from '../support/browser.js';
import { baseUrl } from '../support/gatehouse.js';
import { newTriggerWorld } from '../support/triggers.js';

describeWalk('triggers of a script', (browser) => {
  it('are made and changed in one form, which keeps what was typed until it is saved', async () => {
    const { workspace, api, script } = await newTriggerWorld();
    const page = await browser.page(baseUrl(), workspace.owner);
    await page.goto(`/w/${workspace.slug}/-/scripts/${script.slug}/triggers/new`);
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.fill('After a failure');
    await page.getByLabel('what').first().fill('{{event.data.error}}');
    await page.getByRole('button', { name: 'Make the trigger' }).focus();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Make the trigger' }).click();
    await page.waitForURL(/\/triggers\/trg_/);
    const [made] = (await api.get('/v1/triggers')).body.items;
    expect(made).toMatchObject({
      name: 'After a failure',
      eventType: 'run.failed',
      inputs: { what: '{{event.data.error}}' },
    });
    await page.getByText('The type of event of a trigger stays the same.').waitFor();
    expect(await page.getByText('Not saved yet').count()).toBe(0);
    await name.fill('After any failure');
    await page.getByText('Not saved yet').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('After any failure is saved.').waitFor();
    expect((await api.get(`/v1/triggers/${made.id}`)).body.name).toBe('After any failure');
  });
});

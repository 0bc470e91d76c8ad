import { createHmac } from 'node:crypto';

import { expect, it } from 'vitest';

import type { Json } from '../../libs/testing/index.js';
import { describeWalk, expectAccessible, expectNoSidewaysScroll } from '../support/browser.js';
import { baseUrl } from '../support/gatehouse.js';
import { hook, KEY, newHookWorld, send, sendSigned } from '../support/hooks.js';

const NARROW = { width: 390, height: 844 };

describeWalk('hooks of a script', (browser) => {
  it('are made with an address that is shown once, and show what came in', async () => {
    const { workspace, api, script } = await newHookWorld();
    const page = await browser.page(baseUrl(), workspace.owner);
    const tab = `/w/${workspace.slug}/-/scripts/${script.slug}/hooks`;
    await page.goto(tab);
    await page.getByText('No hook in this environment').waitFor();
    await page.getByRole('link', { name: 'New hook' }).first().click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Pushes');
    await page.getByRole('textbox', { name: 'Secret' }).fill('no such name');
    await page.getByRole('button', { name: 'Make the hook' }).click();
    await page.getByText('must be letters, digits and underscores').first().waitFor();
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Pushes');
    await page.getByRole('textbox', { name: 'Secret' }).fill('HOOK_KEY');
    await page.getByLabel('what').first().fill('{{request.body.ref}}');
    await page.getByRole('button', { name: 'Make the hook' }).focus();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Make the hook' }).click();
    await page.getByText('it cannot be shown again').waitFor();
    const url = (await page
      .getByText(/\/hooks\/[0-9A-Za-z]{43}/)
      .first()
      .textContent())!.trim();
    await expectAccessible(page);

    const body = '{"ref": "main"}';
    const signature = `sha256=${createHmac('sha256', KEY).update(body).digest('hex')}`;
    const github = { 'x-hub-signature-256': signature, 'x-github-delivery': 'one' };
    expect((await send({ url }, body, github)).status).toBe(202);
    expect((await send({ url }, body, github)).status).toBe(202);
    expect((await send({ url }, body, { ...github, 'x-hub-signature-256': 'sha256=no' })).status).toBe(404);
    await page.getByRole('link', { name: 'See what comes in' }).click();
    const receipts = page.getByRole('table', { name: 'Receipts' });
    for (const words of ['Started a run', 'Came before', 'Refused'])
      await receipts.getByText(words).waitFor();
    expect(await page.getByText(url).count()).toBe(0);
    const again = receipts.getByRole('button', { name: 'Run again' });
    expect(await again.count()).toBe(1);
    await again.click();
    await page.getByText('It runs once more.').waitFor();
    await expectAccessible(page);

    await receipts
      .getByRole('row')
      .filter({ hasText: 'Refused' })
      .getByRole('button', { name: 'Show' })
      .click();
    const shown = page.getByRole('dialog', { name: 'Refused' });
    await shown.getByText('is not kept').waitFor();
    expect(await shown.getByRole('button', { name: 'Run again' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await shown.waitFor({ state: 'detached' });
    await receipts
      .getByRole('row')
      .filter({ hasText: 'Started a run' })
      .getByRole('button', { name: 'Show' })
      .click();
    const taken = page.getByRole('dialog', { name: 'Started a run' });
    await taken.getByLabel('Headers').getByText('x-github-delivery').waitFor();
    await taken.getByText('"main"').waitFor();
    await taken.getByRole('combobox', { name: 'Version' }).click();
    await page.getByRole('option', { name: 'version 1' }).click();
    await expectAccessible(page);
    await taken.getByRole('button', { name: 'Run again' }).click();
    await taken.waitFor({ state: 'detached' });
    const tests = (await api.get('/v1/runs')).body.items.filter(({ test }: Json) => test);
    expect(tests).toMatchObject([{ version: 1, test: true }]);

    await page.getByRole('button', { name: 'Make another address' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Make another address' }).click();
    await page
      .getByText(/\/hooks\/[0-9A-Za-z]{43}/)
      .first()
      .waitFor();
    expect((await send({ url }, body, github)).status).toBe(404);
    await receipts.getByRole('link', { name: 'Started a run' }).click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.goto(`/w/${workspace.slug}/-/scripts/${script.slug}/usage`);
    await page.getByRole('region', { name: 'Hooks' }).getByRole('link', { name: 'Pushes' }).waitFor();
    await expectAccessible(page);
  });

  it('fit on a phone, and are switched off there', async () => {
    const { workspace, api, script } = await newHookWorld();
    const made = await hook(api, script, {
      name: 'Orders of a shop with a long name',
      filter: { 'body.kind': 'order' },
    });
    await sendSigned(made, { kind: 'order' });
    await sendSigned(made, { kind: 'other' });
    const page = await browser.page(baseUrl(), workspace.owner, NARROW);
    const tab = `/w/${workspace.slug}/-/scripts/${script.slug}/hooks`;
    for (const path of [tab, `${tab}/new`, `${tab}/${made.id}`]) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      if (path === tab) await page.getByRole('link', { name: made.name }).waitFor();
      if (path.endsWith(made.id)) await page.getByText('Left out by the filter').waitFor();
      await expectNoSidewaysScroll(page);
      await expectAccessible(page);
    }
    await page.goto(tab);
    await page.getByRole('switch').press('Space');
    await expect.poll(() => sendSigned(made, { kind: 'order' }).then(({ status }) => status)).toBe(404);
  });
});

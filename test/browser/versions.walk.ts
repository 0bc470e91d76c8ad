import { expect, it } from 'vitest';

import {
  DESK,
  PHONE,
  describeWalk,
  expectAccessible,
  expectNoSidewaysScroll,
  sayWhatIsNew,
  typeAtTheEnd,
} from '../support/browser.js';
import { baseUrl, client, newWorkspace } from '../support/gatehouse.js';
import { archiveOf, finished, publishedScript, run, runUntil } from '../support/scripts.js';

describeWalk('the versions of a script', (browser) => {
  it.each([
    ['at a desk', DESK, 'light'],
    ['on a tablet', { width: 768, height: 1024 }, 'dark'],
    ['on a phone in the dark', PHONE, 'dark'],
  ] as const)('say what is new, by whom, and how their runs went, %s', async (_, viewport, colorScheme) => {
    const { owner, slug } = await newWorkspace();
    const api = client({ token: owner.token, workspace: slug });
    const script = await publishedScript(api, { 'main.py': 'print(1)' });
    const { id } = (await run(api, script)).body;
    await runUntil(api, id, finished);
    const archive = await archiveOf({ 'main.py': 'print(2)' });
    const message = 'Totals by month\nand by year';
    await api.post(`/v1/scripts/${script.slug}/versions`, { archive, message });
    await api.post(`/v1/scripts/${script.slug}/publish`, { version: 2 });
    await api.post(`/v1/scripts/${script.slug}/versions`, {
      archive: await archiveOf({ 'main.py': 'print(3)' }),
    });
    const page = await browser.page(baseUrl(), owner, viewport);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // Runs are counted some seconds after their end.
    await expect
      .poll(async () => (await api.get(`/v1/runs/statistics?script=${script.slug}`)).body.versions.length)
      .toBe(1);

    await page.goto(`/w/${slug}/-/scripts/${script.slug}/versions`);
    await page.getByText('Totals by month', { exact: true }).waitFor();
    await page.getByText('100% of 1 run').waitFor();
    await expect.poll(() => page.getByText(owner.name, { exact: true }).count()).toBeGreaterThanOrEqual(3);
    await page.getByRole('checkbox', { name: 'Choose version 3' }).press('Space');
    await page.getByText('Choose another one to compare it with.').waitFor();
    await page.getByRole('checkbox', { name: 'Choose version 1' }).press('Space');
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await page.getByRole('button', { name: 'Compare version 1 with 3' }).press('Enter');
    await page.waitForURL(/versions\/3\?view=changes&against=1$/);
    await page.getByText('print(3)').first().waitFor();

    await page.goto(`/w/${slug}/-/scripts/${script.slug}/versions`);
    await page.getByRole('button', { name: 'Roll back to version 1' }).press('Enter');
    await page.getByText('Runs use version 1 from now on.').waitFor();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    const undo = page.getByRole('button', { name: 'Undo: publish version 2 again' });
    await page.keyboard.press('z');
    await expect
      .poll(() => undo.evaluate((button) => button === button.ownerDocument.activeElement))
      .toBe(true);
    await undo.press('Enter');
    await page.getByText('Runs use version 2 from now on.').waitFor();
    expect((await api.get(`/v1/scripts/${script.slug}`)).body.publishedVersion).toBe(2);
    await page.getByRole('link', { name: 'Version 2' }).click();
    await page.getByText('and by year').waitFor();
    await expectAccessible(page);
  });

  it('are told what is new where they are made', async () => {
    const { owner, slug } = await newWorkspace();
    const api = client({ token: owner.token, workspace: slug });
    const script = await publishedScript(api, { 'main.py': 'print(1)' });
    const page = await browser.page(baseUrl(), owner);
    await page.goto(`/w/${slug}/-/scripts/${script.slug}/edit`);
    await page.getByRole('heading', { level: 1, name: 'Draft of version 1' }).waitFor();
    await typeAtTheEnd(page, 'more = 1');
    await sayWhatIsNew(page, 'Make a version', 'Say more');
    await page.getByText('Version 2 is made. Publish it when it is ready.').waitFor();
    expect((await api.get(`/v1/scripts/${script.slug}/versions/2`)).body).toMatchObject({
      message: 'Say more',
      published: false,
    });
    await expectAccessible(page);
  });
});

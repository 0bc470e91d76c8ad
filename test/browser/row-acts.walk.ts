import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';

import type { Client } from '../../libs/testing/index.js';
import { DESK, PHONE, describeWalk, expectAccessible, expectNoSidewaysScroll } from '../support/browser.js';
import { baseUrl, client, newWorkspace } from '../support/gatehouse.js';
import { finished, python, run, runUntil } from '../support/scripts.js';

describeWalk('a row of a list', (browser) => {
  it('shows what can be done with it to the mouse and to the keys', async () => {
    const { owner, slug } = await newWorkspace();
    const api = client({ token: owner.token, workspace: slug });
    const { script, id } = await endedRun(api);
    const page = await browser.page(baseUrl(), owner, DESK);
    await page.goto(`/w/${slug}/-/runs`);
    const row = page.getByRole('table', { name: 'Runs' }).getByRole('row').nth(1);
    const again = row.getByRole('button', { name: `Run again: the run ${id}` });
    await again.waitFor();
    expect(await opacityOf(page)).toBe('0');
    await row.hover();
    await expect.poll(() => opacityOf(page)).toBe('1');
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await row.getByRole('button', { name: /^Copy the id/ }).click();
    await page.getByText(`${id} is copied.`).waitFor();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(id);

    await page.getByRole('heading', { level: 1 }).click();
    await expect.poll(() => opacityOf(page)).toBe('0');
    await page.keyboard.press('j');
    await expect.poll(() => opacityOf(page)).toBe('1');
    // Running again comes last.
    for (const name of [/^Open the log/, /^Edit this version/, /^Copy the id/, /^Run again/]) {
      await page.keyboard.press('Tab');
      expect(await page.evaluate<string>('document.activeElement.ariaLabel')).toMatch(name);
    }
    await page.keyboard.press('Enter');
    await page.getByText(`A run of ${script} is asked for.`).waitFor();
    expect((await api.get('/v1/runs')).body.items).toHaveLength(2);

    await row.getByRole('link', { name: /^Open the log/ }).press('Enter');
    await page.waitForURL('**/runs/run_*#log');
    await page.getByRole('heading', { name: 'Log', exact: true }).waitFor();
    await page.goto(`/w/${slug}/-/runs`);
    await row.getByRole('link', { name: /^Edit this version/ }).press('Enter');
    await page.waitForURL(`**/scripts/${script}/edit?version=1`);
  });

  it.each([
    ['at a desk', DESK],
    ['on a phone', PHONE],
  ])('has them for scripts and files as well, %s', async (_, viewport) => {
    const { owner, slug } = await newWorkspace();
    const api = client({ token: owner.token, workspace: slug });
    const { script } = await endedRun(api);
    const page = await browser.page(baseUrl(), owner, viewport);
    const isPhone = viewport === PHONE;
    await page.goto(`/w/${slug}/-/scripts`);
    if (isPhone) {
      await page.getByRole('button', { name: `Actions for ${script}` }).click();
      await page.getByRole('menuitem', { name: 'Its runs' }).click();
    } else await page.getByRole('link', { name: `Its runs: ${script}` }).press('Enter');
    await page.waitForURL(`**/scripts/${script}/runs`);

    await page.goto(`/w/${slug}/-/files`);
    await page.setInputFiles('input[type=file]', {
      name: 'a.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('a'),
    });
    const row = page.getByRole('table', { name: 'Files' }).getByRole('row').nth(1);
    await row.hover();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    if (isPhone) await row.getByRole('button', { name: 'Actions for a.txt' }).click();
    const act = (name: string) =>
      isPhone ? page.getByRole('menuitem', { name }) : page.getByLabel(`${name}: a.txt`, { exact: true });
    const saved = page.waitForEvent('download');
    await act('Download').click();
    expect((await saved).suggestedFilename()).toBe('a.txt');
    if (isPhone) await page.getByRole('button', { name: 'Actions for a.txt' }).click();
    await act('Delete').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('a.txt is deleted.').waitFor();
  });
});

async function endedRun(api: Client): Promise<{ script: string; id: string }> {
  const script = await python(api, 'print(1)');
  const { body } = await run(api, script);
  await runUntil(api, body.id, finished);
  return { script: script.slug, id: body.id as string };
}

function opacityOf(page: Page): Promise<string> {
  return page.evaluate<string>(
    `getComputedStyle(document.querySelector('[aria-label^="Copy the id"]').parentElement).opacity`,
  );
}

import { readFile } from 'node:fs/promises';

import { expect, it } from 'vitest';

import {
  DESK,
  PHONE,
  describeWalk,
  expectAccessible,
  expectNoSidewaysScroll,
  sayWhatIsNew,
  signIn,
} from '../support/browser.js';
import { baseUrl, client, newWorkspace } from '../support/gatehouse.js';
import { finished, python, run, runUntil } from '../support/scripts.js';

describeWalk('a script from its template to its output', (browser) => {
  it.each([
    ['at a desk', DESK],
    ['on a phone', PHONE],
  ])('is written, tested, published and run, with a secret and a file, %s', async (_, viewport) => {
    const { owner, slug } = await newWorkspace();
    const page = await browser.page(baseUrl(), null, viewport);

    await page.goto('/');
    await signIn(page, owner);
    await page.waitForURL(`**/w/${slug}/-`);
    await page.getByRole('region', { name: 'First steps' }).waitFor();
    await expectAccessible(page);

    await page.goto(`/w/${slug}/-/settings/secrets`);
    await page.getByRole('button', { name: 'New secret' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('REPORT_KEY');
    await dialog.getByLabel('Value').fill('a value that nobody reads again');
    await dialog.getByLabel('Hosts').fill('api.example.com');
    await dialog.getByRole('button', { name: 'Set the value' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'REPORT_KEY' }).waitFor();
    expect(await page.content()).not.toContain('a value that nobody reads again');

    await page.goto(`/w/${slug}/-/scripts/new`);
    await page.getByRole('button', { name: /Report on a CSV file/ }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Sales of the day');
    await expectNoSidewaysScroll(page);
    await page.setInputFiles('input[type=file][id$=_file]', csv('city,total\nOslo,3\nLisbon,4\nOslo,5\n'));
    await page.getByRole('button', { name: 'Remove sales.csv' }).waitFor();
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByText('Succeeded').first().waitFor();
    await sayWhatIsNew(page, 'Publish');
    await page.waitForURL(`**/scripts/sales-of-the-day`);

    await page.goto(`/w/${slug}/-/scripts/sales-of-the-day`);
    await page.setInputFiles('input[type=file][id$=_file]', csv('city,total\nOslo,3\nTurin,9\n'));
    await page.getByRole('button', { name: 'Remove sales.csv' }).waitFor();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.waitForURL('**/runs/run_*');
    await page.getByRole('heading', { level: 1 }).getByText('Succeeded').waitFor();
    await page.getByRole('heading', { name: 'Output' }).waitFor();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });

  it('leaves nothing behind where its first version cannot be built', async () => {
    const { owner, slug } = await newWorkspace();
    const page = await browser.page(baseUrl(), owner);
    await page.goto(`/w/${slug}/-/scripts/new`);
    await page.getByRole('button', { name: /Report on a CSV file/ }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Broken');
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByLabel('Build command').fill('exit 3');
    await sayWhatIsNew(page, 'Make a version');
    await page.getByText('What was printed').or(page.getByRole('alert')).first().waitFor();
    const api = client({ token: owner.token, workspace: slug });
    await expect.poll(async () => (await api.get('/v1/scripts/broken')).status).toBe(404);

    await page.getByLabel('Build command').fill('');
    await sayWhatIsNew(page, 'Publish');
    await page.waitForURL('**/scripts/broken');
    expect((await api.get('/v1/scripts/broken')).body.publishedVersion).toBe(1);
  });

  it.each([
    ['at a desk', DESK],
    ['on a phone', PHONE],
  ])('shows how its last runs went, below its form and on a tab of their own, %s', async (_, viewport) => {
    const { owner, slug } = await newWorkspace();
    const api = client({ token: owner.token, workspace: slug });
    const script = await python(
      api,
      'import json, os\nraise SystemExit(json.load(open(os.environ["GATEHOUSE_INPUTS"]))["code"])',
      { inputSchema: { type: 'object' } },
    );
    for (let at = 0; at < 12; at += 1) {
      const { body } = await run(api, script, { code: at === 11 ? 3 : 0 });
      await runUntil(api, body.id, finished);
    }
    const page = await browser.page(baseUrl(), owner, viewport);
    await page.goto(`/w/${slug}/-/scripts/${script.slug}`);
    const last = page.getByRole('region', { name: 'Last runs' });
    const strip = page.getByRole('list', { name: 'The last runs' });
    await expect.poll(() => strip.getByRole('link').count()).toBe(12);
    await strip.getByRole('link', { name: /^Failed, took .*, / }).waitFor();
    await expect.poll(() => last.getByText('exit code 3').count()).toBe(1);
    await expect.poll(() => last.getByRole('listitem').count()).toBe(12 + 10);
    await last.getByText('half took at most').waitFor();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await strip.getByRole('link').last().focus();
    await page.keyboard.press('ArrowLeft');
    await expect
      .poll(() => page.evaluate<string>('document.activeElement.ariaLabel'))
      .toMatch(/^Succeeded, took/);

    await last.getByRole('link', { name: 'All runs' }).click();
    await page.waitForURL(`**/scripts/${script.slug}/runs`);
    const list = page.getByRole('table', { name: 'Runs of this script' });
    await expect.poll(() => list.getByRole('link', { name: script.slug }).count()).toBe(12);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    const { body } = await run(api, script, { code: 0 });
    await expect.poll(() => strip.getByRole('link').count()).toBe(13);
    await strip.getByRole('link').last().press('Enter');
    await page.waitForURL(`**/runs/${body.id}`);
  });

  it('saves the runs that a list shows as a file', async () => {
    const { owner, slug } = await newWorkspace();
    const api = client({ token: owner.token, workspace: slug });
    const script = await python(
      api,
      'import json, os\nraise SystemExit(json.load(open(os.environ["GATEHOUSE_INPUTS"]))["code"])',
      { inputSchema: { type: 'object' } },
    );
    for (const code of [0, 0, 3]) {
      const { body } = await run(api, script, { code });
      await runUntil(api, body.id, finished);
    }
    const page = await browser.page(baseUrl(), owner, DESK);
    await page.goto(`/w/${slug}/-/runs?status=failed`);
    await page.getByRole('button', { name: 'Export' }).click();
    const saved = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: /CSV/ }).click();
    const file = await readFile(await (await saved).path(), 'utf8');
    expect(file.match(/,failed,/g)).toHaveLength(1);
  });
});

function csv(text: string) {
  return { name: 'sales.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
}

import { readFile } from 'node:fs/promises';

import { expect, it } from 'vitest';

import { DESK, PHONE, describeWalk, expectAccessible, expectNoSidewaysScroll } from '../support/browser.js';
import { baseUrl, client, newWorkspace } from '../support/gatehouse.js';
import { finished, python, run, runUntil } from '../support/scripts.js';

const REPORTS = `
import json
cities = [{"city": f"City {n}", "people": n * 11_000, "year": 2026, "note": "=1+1"} for n in range(1, 13)]
print(json.dumps({"month": "October", "cities": cities, "none": []}))`;

describeWalk('an output', (browser) => {
  it.each([
    ['at a desk', DESK, 'light'],
    ['on a phone in the dark', PHONE, 'dark'],
  ] as const)('that has a list is a table, %s', async (_, viewport, colorScheme) => {
    const { owner, slug } = await newWorkspace();
    const api = client({ token: owner.token, workspace: slug });
    const { id } = (await run(api, await python(api, REPORTS))).body;
    await runUntil(api, id, finished);
    const page = await browser.page(baseUrl(), owner, viewport);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.goto(`/w/${slug}/-/runs/${id}`);
    await page.getByRole('heading', { name: 'cities' }).waitFor();
    await page.getByText('"October"').waitFor();
    const table = page.getByRole('table', { name: 'cities' });
    const cities = () => table.getByRole('row').locator('td:first-child').allTextContents();
    const people = table.getByRole('button', { name: 'people' });

    await people.click();
    await expect.poll(async () => (await cities())[0]).toBe('City 1');
    await people.click();
    await expect.poll(async () => (await cities()).slice(0, 2)).toEqual(['City 12', 'City 11']);
    await table.getByRole('columnheader', { name: 'people', exact: true }).waitFor();
    expect(await table.getByRole('row').nth(1).getByRole('cell').allTextContents()).toEqual([
      'City 12',
      '132,000',
      '2026',
      '=1+1',
    ]);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);

    await page.getByRole('textbox', { name: 'Filter cities' }).fill('city 1');
    await expect.poll(cities).toEqual(['City 12', 'City 11', 'City 10', 'City 1']);
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe(`${id}-cities.csv`);
    const [head, first] = (await readFile(await download.path(), 'utf8')).split('\r\n');
    expect([head, first]).toEqual(['city,people,year,note', "City 12,132000,2026,'=1+1"]);
    await page.getByRole('textbox', { name: 'Filter cities' }).fill('nowhere');
    await page.getByText('No row has that.').waitFor();
  });

  it.each([
    ['at a desk', DESK, 'light'],
    ['on a tablet', { width: 768, height: 1024 }, 'dark'],
    ['on a phone in the dark', PHONE, 'dark'],
  ] as const)('is shown as its script asks, %s', async (_, viewport, colorScheme) => {
    const { owner, slug } = await newWorkspace();
    const api = client({ token: owner.token, workspace: slug });
    const asks = (view: string, output: string) =>
      `import json, sys\nprint("::view ${view}", file=sys.stderr)\n${output}`;
    const rows = '[{"month": f"Month {n}", "sales": n * n - 9.5, "costs": 4 * n} for n in range(12)]';
    const page = await browser.page(baseUrl(), owner, viewport);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const open = async (code: string): Promise<void> => {
      const { id } = (await run(api, await python(api, code))).body;
      await runUntil(api, id, finished);
      await page.goto(`/w/${slug}/-/runs/${id}`);
      await page.getByRole('radiogroup', { name: 'Show the output as' }).waitFor();
    };

    await open(asks('chart', `print(json.dumps({"year": 2026, "months": ${rows}}))`));
    const chart = page.getByRole('region', { name: 'Chart of months' });
    await chart.locator('rect[data-tone=second]').last().waitFor();
    expect(await chart.locator('rect[data-tone]').count()).toBe(24);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await page.getByRole('radio', { name: 'Table' }).press('Space');
    await page.getByRole('table', { name: 'months' }).waitFor();

    await open(asks('markdown', 'print("## All is well\\n\\n- *12* months\\n- <b>no</b> script")'));
    await page.getByRole('heading', { name: 'All is well' }).waitFor();
    await page.getByRole('listitem').getByText('months').waitFor();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });

  it('that cannot be shown as its script asks is shown as ever', async () => {
    const { owner, slug } = await newWorkspace();
    const api = client({ token: owner.token, workspace: slug });
    const code = 'import sys\nprint("::view chart", file=sys.stderr)\nprint("nothing to draw")';
    const { id } = (await run(api, await python(api, code))).body;
    await runUntil(api, id, finished);
    const page = await browser.page(baseUrl(), owner);
    await page.goto(`/w/${slug}/-/runs/${id}`);
    await page.getByLabel('Output', { exact: true }).getByText('nothing to draw').waitFor();
    expect(await page.getByRole('radiogroup', { name: 'Show the output as' }).count()).toBe(0);
  });
});

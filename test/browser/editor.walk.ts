import type { Page } from 'playwright-core';
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
import { publishedScript } from '../support/scripts.js';

const MAIN = 'import json\nprint(json.dumps({"one": 1}))\n';
const WIDE = { width: 1440, height: 900 };
/** Who asks again before there is something to offer waits for it from the beginning. */
const EACH_BEGINS_ANEW = { interval: 500 };

describeWalk('the editor of a script', (browser) => {
  it.each([
    ['at a desk', WIDE],
    ['on a phone', PHONE],
  ])('tests and makes a version by keys alone, %s', async (_, viewport) => {
    const { owner, slug } = await newWorkspace();
    const api = client({ token: owner.token, workspace: slug });
    const script = await publishedScript(api, { 'main.py': MAIN });
    const page = await browser.page(baseUrl(), owner, viewport);
    await page.goto(`/w/${slug}/-/scripts/${script.slug}/edit`);
    await typeAtTheEnd(page, '# mine');
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);

    await page.keyboard.press('Control+Enter');
    await page.getByText('Succeeded').first().waitFor();
    await page.keyboard.press('Control+s');
    const dialog = page.getByRole('dialog', { name: 'Make a version' });
    await dialog.waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate('document.activeElement.className')).toContain('cm-content');
    await page.keyboard.press('Control+s');
    await dialog.locator('textarea:focus').waitFor();
    await page.keyboard.type('Says that it is mine');
    await page.keyboard.press('Enter');
    await page.getByText('Version 3 is made.').waitFor();
    const { body } = await api.get(`/v1/scripts/${script.slug}/versions/3`);
    expect(body).toMatchObject({ message: 'Says that it is mine', number: 3 });
    await sayWhatIsNew(page, 'Publish');
    await page.waitForURL(`**/scripts/${script.slug}`);
  });

  it('offers variables and inputs, and underlines what is no Python', async () => {
    const { owner, slug } = await newWorkspace();
    const api = client({ token: owner.token, workspace: slug });
    const inputSchema = {
      type: 'object',
      properties: { colour: { type: 'string', description: 'Of the wall.' } },
    };
    const script = await publishedScript(
      api,
      { 'main.py': MAIN, 'more.ts': 'export const one = 1;\n' },
      { inputSchema },
    );
    const page = await browser.page(baseUrl(), owner, WIDE);
    await page.goto(`/w/${slug}/-/scripts/${script.slug}/edit`);
    // With nothing at its end for which something is offered: Enter would take that.
    await typeAtTheEnd(page, 'one = 1');
    const offers = page.locator('.cm-tooltip-autocomplete');
    const offer = async (typed: string, name: RegExp): Promise<void> => {
      await page.keyboard.type(typed);
      // What offers is loaded after the text.
      await expect
        .poll(async () => {
          await page.keyboard.press('Control+Space');
          return offers.getByRole('option', { name }).count();
        }, EACH_BEGINS_ANEW)
        .toBe(1);
    };
    await offer('GATEHOUSE_INP', /GATEHOUSE_INPUTS/);
    await expectAccessible(page);
    // What is offered is not taken in the first moment, so that typing is not in its way.
    await expect
      .poll(async () => {
        await page.keyboard.press('Enter');
        return textOf(page);
      })
      .toContain('GATEHOUSE_INPUTS');
    await offer('\ncol', /colour/);
    await page.keyboard.press('Escape');
    await page.keyboard.type(' = (1\n');
    const problems = page.getByRole('button', { name: /1 problem/ });
    await problems.waitFor();
    await page.locator('.cm-lintRange-error').waitFor();
    await expectAccessible(page);
    await problems.press('Enter');
    await expect
      .poll(() => page.evaluate<string>('document.activeElement.className'))
      .toContain('cm-content');

    await page.getByRole('button', { name: 'more.ts' }).click();
    await typeAtTheEnd(page, 'const one: number = 2;');
    await page.getByRole('button', { name: /1 problem/ }).waitFor();
  });

  it('has the whole window, and panes as wide as one wants them', async () => {
    const { owner, slug } = await newWorkspace();
    const api = client({ token: owner.token, workspace: slug });
    const script = await publishedScript(api, { 'main.py': MAIN.repeat(100) });
    const page = await browser.page(baseUrl(), owner, WIDE);
    await page.goto(`/w/${slug}/-/scripts/${script.slug}/edit`);
    const editor = page.locator('.cm-editor');
    await editor.waitFor();
    const bottom = async (): Promise<number> => {
      const box = (await editor.boundingBox())!;
      return box.y + box.height;
    };
    await expect.poll(bottom).toBeGreaterThan(820);
    expect(await bottom()).toBeLessThan(900);
    await expect.poll(() => page.evaluate<number>('document.documentElement.scrollHeight')).toBe(900);

    const navigation = page.getByRole('navigation', { name: 'Main' });
    await navigation.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Open the menu' }).press('Enter');
    await navigation.getByRole('link', { name: 'Runs' }).waitFor();
    await page.getByRole('button', { name: 'Close the menu' }).press('Enter');
    await navigation.waitFor({ state: 'hidden' });

    const divider = page.getByRole('separator', { name: 'Width of the test' });
    const test = page.getByRole('region', { name: 'Test run' });
    const width = async (): Promise<number> => (await test.boundingBox())!.width;
    const usual = await width();
    await divider.press('ArrowLeft');
    await expect.poll(width).toBe(usual + 24);
    const { x, y } = (await divider.boundingBox())!;
    await page.mouse.move(x + 4, y + 40);
    await page.mouse.down();
    await page.mouse.move(x - 96, y + 40);
    await page.mouse.up();
    await expect.poll(width).toBe(usual + 124);
    await page.reload();
    await expect.poll(width).toBe(usual + 124);
    await divider.press('Enter');
    await expect.poll(width).toBe(usual);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Scripts' }).click();
    await navigation.waitFor();
  });

  it.each([
    ['at a desk', DESK],
    ['on a phone', PHONE],
  ])('builds the inputs, and makes a secret beside the draft, %s', async (_, viewport) => {
    const { owner, slug } = await newWorkspace();
    const api = client({ token: owner.token, workspace: slug });
    const script = await publishedScript(api, { 'main.py': MAIN });
    const page = await browser.page(baseUrl(), owner, viewport);
    await page.goto(`/w/${slug}/-/scripts/${script.slug}/edit`);
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Add an input' }).click();
    const row = page.getByRole('group', { name: 'Input input1' });
    await row.getByRole('combobox', { name: 'Kind' }).click();
    await page.getByRole('option', { name: 'Whole number' }).click();
    await row.getByRole('textbox', { name: 'Begins as' }).fill('7');
    await row.getByRole('textbox', { name: 'Name' }).fill('rooms');
    await row.getByRole('textbox', { name: 'Name' }).press('Enter');
    await page
      .getByRole('group', { name: 'Input rooms' })
      .getByRole('checkbox', { name: 'Required' })
      .check();
    await page.getByRole('region', { name: 'Test run' }).getByLabel('rooms').waitFor();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);

    await page.getByRole('button', { name: 'New secret…' }).click();
    const dialog = page.getByRole('dialog', { name: 'New secret' });
    await dialog.getByLabel('Name').fill('REPORT_KEY');
    await dialog.getByLabel('Value').fill('a value that nobody reads again');
    await dialog.getByLabel('Hosts').fill('api.example.com');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Set the value' }).click();
    await page.getByRole('group', { name: 'REPORT_KEY' }).waitFor();
    await dialog.waitFor({ state: 'detached' });
    await expectAccessible(page);

    await page.getByText('JSON', { exact: true }).click();
    await page.getByRole('textbox', { name: 'Input schema' }).getByText('"rooms"').first().waitFor();
    await sayWhatIsNew(page, 'Make a version', 'Counts rooms');
    await page.getByText('Version 2 is made.').waitFor();
    const { body } = await api.get(`/v1/scripts/${script.slug}/versions/2`);
    expect(body).toMatchObject({
      message: 'Counts rooms',
      inputSchema: { properties: { rooms: { type: 'integer', default: 7 } }, required: ['rooms'] },
      hosts: ['api.example.com'],
      secrets: { REPORT_KEY: { header: 'authorization' } },
    });
  });
});

function textOf(page: Page): Promise<string> {
  return page.locator('.cm-content').first().innerText();
}

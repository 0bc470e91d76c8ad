import { expect, it } from 'vitest';

import { DESK, PHONE, describeWalk, expectAccessible, expectNoSidewaysScroll } from '../support/browser.js';
import { copyRun } from '../support/copied-rows.js';
import { baseUrl } from '../support/gatehouse.js';
import { workspaceWithRun } from '../support/workspaces-with.js';

describeWalk('the keyboard', (browser) => {
  const withRuns = async (count: number) => {
    const made = await workspaceWithRun();
    await copyRun(made.runId, count - 1);
    return made;
  };

  it('goes from page to page and through a list, and acts on what is open', async () => {
    const { owner, slug, runId, script } = await withRuns(6);
    const page = await browser.page(baseUrl(), owner);
    const { keyboard } = page;
    await page.goto(`/w/${slug}/-/scripts`);
    await page.getByRole('heading', { level: 1, name: 'Scripts' }).waitFor();
    await keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
    await expectAccessible(page);
    await keyboard.press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main');
    expect(page.url()).toMatch(/\/scripts$/);

    await keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keys' });
    await help.getByText('The next row').waitFor();
    await expectAccessible(page);
    await keyboard.press('Escape');
    await help.waitFor({ state: 'detached' });

    // The second is waited for only so long.
    await keyboard.type('gr');
    await page.waitForURL('**/runs');
    const rows = page.getByRole('table', { name: 'Runs' }).locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(6);
    await keyboard.press('/');
    const search = page.getByRole('searchbox', { name: 'Search runs' });
    await expect.poll(() => search.evaluate('document.activeElement.type')).toBe('search');
    // In a field they are letters.
    await keyboard.type('jgr?');
    await expect.poll(() => search.inputValue()).toBe('jgr?');
    // What is typed is asked for a moment later.
    await page.waitForURL((url) => url.searchParams.get('q') === 'jgr?');
    await search.fill('');
    await page.waitForURL((url) => !url.searchParams.has('q'));
    await expect.poll(() => rows.count()).toBe(6);
    await page.getByRole('heading', { level: 1 }).click();
    const focused = (): Promise<unknown> =>
      page.evaluate("document.activeElement.closest('tr')?.getAttribute('data-index') ?? null");
    for (const [key, row] of [
      ['j', '0'],
      ['j', '1'],
      ['j', '2'],
      ['k', '1'],
    ] as const) {
      await keyboard.press(key);
      await expect.poll(focused).toBe(row);
    }
    await keyboard.press('x');
    await page.getByText('1 run chosen').waitFor();
    await keyboard.press('x');
    await page.getByText('1 run chosen').waitFor({ state: 'detached' });
    await keyboard.press('k');
    await keyboard.press('Enter');
    await page.waitForURL(`**/runs/${runId}`);
    // The row is gone, and the keyboard goes on from the beginning of the page that is there.
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main');

    // A slip of the hand starts nothing.
    await page.getByRole('button', { name: 'Run again' }).waitFor();
    await keyboard.press('r');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Run again');
    expect(page.url()).toContain(runId);

    await keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Search' });
    await palette.getByRole('button', { name: 'With other inputs' }).waitFor();
    await palette.getByLabel('Search scripts, runs').fill('with other');
    await palette.locator('[data-selected]').getByText('With other inputs').waitFor();
    await keyboard.press('Enter');
    await page.waitForURL(`**/scripts/${script.slug}?from=${runId}`);
  });

  it('is left alone by whoever switches the letters off', async () => {
    const { owner, slug } = await withRuns(1);
    const page = await browser.page(baseUrl(), owner);
    await page.goto(`/w/${slug}/-/scripts`);
    await page.getByRole('heading', { level: 1, name: 'Scripts' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('switch', { name: 'Keys of one letter' }).uncheck();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Scripts' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('r');
    await page.keyboard.press('?');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Search' }).waitFor();
    expect(page.url()).toMatch(/\/scripts$/);
    expect(await page.getByRole('dialog', { name: 'Keys' }).count()).toBe(0);
    // From here they are switched on again.
    await page.getByLabel('Search scripts, runs').fill('keys');
    await page.getByRole('dialog', { name: 'Search' }).getByText('Keys', { exact: true }).click();
    await page.getByRole('dialog', { name: 'Keys' }).getByRole('switch').waitFor();
  });

  it.each([
    ['at a desk', DESK, 'light'],
    ['on a tablet, in the dark', { width: 768, height: 1024 }, 'dark'],
    ['on a phone, in the dark', PHONE, 'dark'],
  ] as const)(
    'with Shift, or the mouse, a list is chosen in ranges, %s',
    async (_, viewport, colorScheme) => {
      const { owner, slug } = await withRuns(60);
      const page = await browser.page(baseUrl(), owner, viewport);
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.goto(`/w/${slug}/-/runs`);
      const box = (index: number) => page.locator(`tbody tr[data-index="${index}"]`).getByRole('checkbox');
      await box(1).click();
      await box(4).click({ modifiers: ['Shift'] });
      await page.getByText('4 runs chosen').waitFor();
      await box(3).click({ modifiers: ['Shift'] });
      await page.getByText('2 runs chosen').waitFor();
      if (viewport.width > 768) {
        await page.evaluate('scrollTo(0, 1_000)');
        const head = page.getByRole('columnheader', { name: 'Status' });
        await expect.poll(async () => Math.round((await head.boundingBox())!.y)).toBe(52);
        await page.evaluate('scrollTo(0, 0)');
        await page.getByRole('checkbox', { name: 'Choose all that are shown' }).check();
        // Further ones fit as well, and all of them can be dealt with at once.
        await page.getByText('50 runs chosen').waitFor();
        await page.getByRole('button', { name: 'Run all that match again' }).waitFor();
      }
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);
    },
  );
});

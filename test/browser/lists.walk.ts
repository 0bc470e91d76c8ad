import { expect, it } from 'vitest';

import { DESK, PHONE, describeWalk, expectAccessible, expectNoSidewaysScroll } from '../support/browser.js';
import { copyRun } from '../support/copied-rows.js';
import { baseUrl, client, database, newWorkspace } from '../support/gatehouse.js';
import { finished, python, run, runUntil } from '../support/scripts.js';
import { workspaceWithRun } from '../support/workspaces-with.js';

const MANY = 2_000;
const MOST_DRAWN = 100;

describeWalk('lists', (browser) => {
  const withOneRun = async () => {
    const made = await workspaceWithRun();
    return { ...made, page: await browser.page(baseUrl(), made.owner) };
  };

  it('draw what is in view of two thousand rows, and tick one of them', async () => {
    const { slug, page, runId } = await withOneRun();
    await copyRun(runId, MANY);
    await page.goto(`/w/${slug}/-/runs`);
    await page.getByRole('row').nth(40).waitFor();

    const shown = async (): Promise<number> =>
      Number(await page.getByRole('table', { name: 'Runs' }).getAttribute('aria-rowcount')) - 1;
    while ((await shown()) <= MANY) {
      const before = await shown();
      await page.getByRole('button', { name: 'Show more' }).click();
      await expect.poll(shown).toBeGreaterThan(before);
    }
    expect(await shown()).toBe(MANY + 1);
    expect(await page.locator('tbody tr').count()).toBeLessThan(MOST_DRAWN);
    await page.evaluate('scrollTo(0, document.body.scrollHeight / 2)');
    await page.locator('tbody tr[data-index="1000"]').waitFor();
    const ticked = page.locator('tbody tr[data-index="1000"]').getByRole('checkbox');
    await ticked.check();
    await page.evaluate('scrollTo(0, 0)');
    await page.locator('tbody tr[data-index="0"]').waitFor();
    await page.evaluate('scrollTo(0, document.body.scrollHeight / 2)');
    await expect.poll(() => ticked.isChecked()).toBe(true);
    await expectAccessible(page);

    await page.setViewportSize(PHONE);
    await page.locator('tbody tr[data-index]').first().waitFor();
    await expectNoSidewaysScroll(page);
    // Rows are higher here, which is known of those that were in view: the end moves away at first.
    const isAtEnd = async (): Promise<boolean> => {
      await page.evaluate('scrollTo(0, document.body.scrollHeight)');
      return (await page.locator(`tbody tr[data-index="${MANY}"]`).count()) === 1;
    };
    await expect.poll(isAtEnd).toBe(true);
  });

  it('say of a row further down how its run ended, without a request for it', async () => {
    const { owner, slug } = await newWorkspace();
    const api = client({ token: owner.token, workspace: slug });
    const script = await python(api, 'pass', { timeout: 60 });
    const going = await python(api, 'import time\ntime.sleep(300)', { timeout: 400 });
    const { body: waits } = await run(api, going);
    await runUntil(api, waits.id, ({ phase }) => phase === 'executing');
    const { body: last } = await run(api, script);
    await runUntil(api, last.id, finished);
    await copyRun(last.id, 60);
    const page = await browser.page(baseUrl(), owner);
    // Those above push it to the second page.
    for (let count = 0; count < 50; count += 10) {
      await Promise.all(Array.from({ length: 10 }, () => run(api, script)));
    }
    await page.goto(`/w/${slug}/-/runs`);
    await page.getByRole('button', { name: 'Show more' }).click();
    const row = page.locator(`tr[data-id="${waits.id}"]`);
    await row.getByText('Running').waitFor();
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/v1/runs?') && request.url().includes('cursor=')) asked.push(request.url());
    });
    await api.post(`/v1/runs/${waits.id}/cancel`);
    await row.getByText('Cancelled').waitFor();
    expect(asked).toEqual([]);
  });

  it('are filtered by what is chosen, and Back takes one filter away', async () => {
    const { slug, page, runId, script } = await withOneRun();
    await page.goto(`/w/${slug}/-/runs`);
    await page.getByRole('combobox', { name: 'Status' }).click();
    await page.getByRole('option', { name: 'Failed' }).click();
    await page.getByText('No run like that').waitFor();
    await page.getByRole('combobox', { name: 'Script' }).fill(script.slug);
    await page.getByRole('option', { name: script.slug }).click();
    await page.waitForURL((url) => url.searchParams.has('script') && url.searchParams.has('status'));
    await page.goBack();
    await page.waitForURL((url) => !url.searchParams.has('script') && url.searchParams.has('status'));
    await page.goBack();
    await page.locator(`tr[data-id="${runId}"]`).waitFor();
    expect(new URL(page.url()).search).toBe('');
    // The menu says where one is going, at once and alone.
    const current = page.getByRole('navigation', { name: 'Main' }).locator('[aria-current=page]');
    await expect.poll(() => current.allTextContents()).toEqual(['Runs']);
  });

  it.each([
    ['at a desk', DESK],
    ['on a tablet', { width: 768, height: 1024 }],
    ['on a phone', PHONE],
  ])(
    'are filtered by several statuses, how long they took and a period of one’s own, %s',
    async (_, viewport) => {
      const { owner, slug } = await newWorkspace();
      const api = client({ token: owner.token, workspace: slug });
      const script = await python(api, 'import time, sys\ntime.sleep(1.2)\nsys.exit(3)');
      const long = (await run(api, script)).body.id as string;
      const short = (await run(api, await python(api, 'pass'))).body.id as string;
      for (const id of [long, short]) await runUntil(api, id, finished);
      // However long this machine took to run nothing.
      await database().query('UPDATE runs SET duration_ms = 100 WHERE id = $1', [short]);
      const page = await browser.page(baseUrl(), owner, viewport);
      await page.goto(`/w/${slug}/-/runs`);
      const rows = () =>
        page.locator('tr[data-id]').evaluateAll((all) => all.map((row) => row.getAttribute('data-id')));
      await expect.poll(rows).toEqual([short, long]);
      await page.getByRole('combobox', { name: 'Status' }).click();
      await page.getByRole('option', { name: 'Failed' }).click();
      await expect.poll(rows).toEqual([long]);
      await page.getByRole('option', { name: 'Succeeded' }).click();
      await expect.poll(rows).toEqual([short, long]);
      await page.waitForURL(/[?&]status=succeeded(,|%2C)failed/);
      await page.keyboard.press('Escape');
      await page.getByRole('combobox', { name: 'Duration' }).click();
      await page.getByRole('option', { name: 'Over 1 s' }).click();
      await expect.poll(rows).toEqual([long]);
      expect(await page.getByRole('button', { name: 'Run all that match again' }).isEnabled()).toBe(true);
      expect(await page.getByRole('button', { name: 'Cancel all that match' }).isEnabled()).toBe(false);
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);

      await page.getByRole('button', { name: 'From – to' }).press('Enter');
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('From').fill('2026-01-02T10:00');
      await dialog.getByLabel('To').fill('2026-01-01T10:00');
      await dialog.getByText('It must be later than the beginning.').waitFor();
      await expectAccessible(page);
      await dialog.getByLabel('To').fill('2026-01-03T10:00');
      await dialog.getByRole('button', { name: 'Show' }).press('Enter');
      await page.getByText('No run like that').waitFor();
      await page.getByRole('button', { name: /^Without the period: Asked from Jan 2, 2026/ }).press('Enter');
      await expect.poll(rows).toEqual([long]);
      await page.reload();
      await expect.poll(rows).toEqual([long]);
    },
  );

  it('that cannot be read are read again on demand', async () => {
    const { owner, slug } = await newWorkspace();
    const api = client({ token: owner.token, workspace: slug });
    const script = await python(api, 'pass');
    const { body } = await run(api, script);
    const page = await browser.page(baseUrl(), owner);
    // The way to the service is broken; no answer of it is made up.
    await page.route('**/v1/runs?**', (route) => route.abort());
    await page.goto(`/w/${slug}/-/runs`);
    const again = page.getByRole('button', { name: 'Try again' });
    await again.waitFor();
    await page.unroute('**/v1/runs?**');
    await again.click();
    await page.locator(`tr[data-id="${body.id}"]`).waitFor();
  });
});

import { expect, it } from 'vitest';

import { DESK, PHONE, describeWalk, expectAccessible, expectNoSidewaysScroll } from '../support/browser.js';
import { baseUrl, client, newWorkspace } from '../support/gatehouse.js';
import { finished, python, run, runUntil } from '../support/scripts.js';

const HOUR_MS = 3_600_000;

describeWalk('the bars over the list of runs', (browser) => {
  it.each([
    ['at a desk', DESK],
    ['on a phone', PHONE],
  ])('choose a time by mouse and by keys, %s', async (_, viewport) => {
    const { owner, slug } = await newWorkspace();
    const api = client({ token: owner.token, workspace: slug });
    const script = await python(api, 'raise SystemExit(1)');
    const { body } = await run(api, script);
    await runUntil(api, body.id, finished);
    await expect.poll(async () => (await api.get('/v1/runs/statistics?by=hour')).body.totals.failed).toBe(1);
    const page = await browser.page(baseUrl(), owner, viewport);
    await page.goto(`/w/${slug}/-/runs`);
    const bars = page.getByRole('group', { name: 'When they ended' });
    await bars.getByText('0 succeeded, 1 failed').waitFor();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    const list = page.getByRole('table', { name: 'Runs' });
    await list.getByRole('link', { name: script.slug, exact: true }).waitFor();

    // Without the newest day, there is none.
    const to = bars.getByRole('slider', { name: 'To' });
    for (const key of ['PageDown', 'PageDown', 'PageDown', 'ArrowLeft']) await to.press(key);
    await bars.getByRole('button', { name: 'Show this time' }).waitFor();
    await expectAccessible(page);
    await to.press('Escape');
    await bars.getByRole('button', { name: 'Show this time' }).waitFor({ state: 'detached' });
    for (const key of ['PageDown', 'PageDown', 'PageDown', 'ArrowLeft']) await to.press(key);
    await to.press('Enter');
    await page.getByText('No run like that').waitFor();
    expect(page.url()).toMatch(/[?&]since=.*[?&]until=/);
    await page.goBack();
    await list.getByRole('link', { name: script.slug, exact: true }).waitFor();
    await bars.getByText('0 succeeded, 1 failed').waitFor();

    // The last two hours, by dragging from the right.
    const { x, y, width, height } = (await bars.locator('svg').boundingBox())!;
    await page.mouse.move(x + width - 1, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width - (width / 168) * 1.5, y + height / 2);
    await page.mouse.up();
    await page.waitForURL(/[?&]since=.*[?&]until=/);
    const search = new URL(page.url()).searchParams;
    const [since, until] = ['since', 'until'].map((name) =>
      Date.parse(search.get(name)!.replaceAll('"', '')),
    );
    expect(until! - since!).toBe(2 * HOUR_MS);
    await list.getByRole('link', { name: script.slug, exact: true }).waitFor();
    // The day around them is drawn, and they are marked.
    await expect.poll(() => bars.locator('rect[data-tone]').count()).toBe(1);
    await expect.poll(() => to.getAttribute('aria-valuemax')).toMatch(/^2[45]$/);
    await expectAccessible(page);
    await page.getByRole('button', { name: /^Without the period/ }).click();
    await page.waitForURL(/runs$/);
  });

  it('count what is chosen, as far as that is counted', async () => {
    const { owner, slug } = await newWorkspace();
    const page = await browser.page(baseUrl(), owner);
    await page.goto(`/w/${slug}/-/runs?status=failed&q=acme`);
    const bars = page.getByRole('group', { name: 'When they ended' });
    await bars.getByText('Ended by hour: 0 failed, whatever their words.').waitFor();
    await page.goto(`/w/${slug}/-/runs?status=running`);
    await bars.getByText('Nothing that is chosen has ended.').waitFor();
  });
});

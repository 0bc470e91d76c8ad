import { expect, it } from 'vitest';

import { DESK, PHONE, describeWalk, expectAccessible, expectNoSidewaysScroll } from '../support/browser.js';
import { baseUrl, client, database, newWorkspace } from '../support/gatehouse.js';
import { python } from '../support/scripts.js';

const RUNS = 120;

describeWalk('all runs that match', (browser) => {
  it.each([
    ['at a desk', DESK],
    ['on a phone', PHONE],
  ])('are cancelled, and some of them run again, %s', async (_, viewport) => {
    const { owner, slug } = await newWorkspace();
    const api = client({ token: owner.token, workspace: slug });
    const [one, other] = [await python(api, 'print(1)'), await python(api, 'print(1)')];
    const startAt = new Date(Date.now() + 3_600_000).toISOString();
    const inputs = Array.from({ length: RUNS }, () => ({}));
    const { body } = await api.post(`/v1/scripts/${one.slug}/runs/batch`, { inputs, startAt });
    await api.post(`/v1/scripts/${other.slug}/runs/batch`, { inputs: [{}, {}], startAt });
    const page = await browser.page(baseUrl(), owner, viewport);
    await page.goto(`/w/${slug}/-/runs?script=${one.slug}&status=running`);
    await expect
      .poll(() => page.getByRole('button', { name: 'Run all that match again' }).isDisabled())
      .toBe(true);
    await page.getByRole('button', { name: 'Cancel all that match' }).click();
    const dialog = page.getByRole('dialog', { name: `Cancel ${RUNS} runs?` });
    await dialog.waitFor();
    await expectAccessible(page);

    const blocker = await database().connect();
    try {
      await blocker.query('BEGIN');
      await blocker.query('SELECT FROM runs WHERE id = $1 FOR UPDATE', [(body.runs as string[])[60]]);
      await dialog.getByRole('button', { name: 'Cancel them' }).click();
      await page.getByText(`Cancelling: 50 of ${RUNS} runs`).waitFor();
      await page.getByRole('progressbar', { name: 'Progress' }).waitFor();
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);
      // Whoever comes later sees how far it is as well.
      await page.reload();
      await page.getByText(`Cancelling: 50 of ${RUNS} runs`).waitFor();
    } finally {
      await blocker.query('ROLLBACK');
      blocker.release();
    }
    await page.getByText(/^Cancelling/).waitFor({ state: 'detached' });
    const { items } = (await api.get('/v1/runs/operations')).body as { items: { done: number }[] };
    expect(items.map(({ done }) => done)).toEqual([RUNS]);

    await page.goto(`/w/${slug}/-/runs?script=${one.slug}&status=cancelled`);
    await api.patch(`/v1/scripts/${one.slug}`, { approvalPolicy: 'always' });
    await page.getByRole('button', { name: 'Run all that match again' }).click();
    const again = page.getByRole('dialog', { name: `Run ${RUNS} runs again?` });
    await again.getByRole('button', { name: 'Run them again' }).click();
    await expect
      .poll(() => page.evaluate('document.activeElement.textContent'))
      .toBe('Run all that match again');
    await page.getByText(`0 runs of ${RUNS} started again, ${RUNS} skipped.`).waitFor();
    await page.getByText('Run it again by itself').first().waitFor();
    await page.getByText('and 110 others').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    const left = (await api.get(`/v1/runs?script=${other.slug}&status=running`)).body as { items: unknown[] };
    expect(left.items).toHaveLength(2);
  });
});

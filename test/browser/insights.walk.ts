import { expect, it } from 'vitest';

import type { Json } from '../../libs/testing/index.js';
import { DESK, PHONE, describeWalk, expectAccessible, expectNoSidewaysScroll } from '../support/browser.js';
import { baseUrl, client, newWorkspace } from '../support/gatehouse.js';
import { withinOneHour } from '../support/hours.js';
import { inApp } from '../support/people.js';
import { finished, python, run, runUntil } from '../support/scripts.js';

const ENDS = 'import json, os\nraise SystemExit(json.load(open(os.environ["GATEHOUSE_INPUTS"]))["code"])';

describeWalk('insights', (browser) => {
  it.each([
    ['at a desk', DESK, 'light'],
    ['at a desk in the dark', DESK, 'dark'],
    ['on a tablet', { width: 768, height: 1024 }, 'light'],
    ['on a phone', PHONE, 'dark'],
  ] as const)('tell how runs ended and lead to them, %s', async (_, viewport, colorScheme) => {
    const { owner, slug } = await newWorkspace();
    const api = client({ token: owner.token, workspace: slug });
    const script = await python(api, ENDS, { inputSchema: { type: 'object' } });
    await withinOneHour();
    for (const code of [0, 0, 3]) {
      const { body } = await run(api, script, { code });
      await runUntil(api, body.id, finished);
    }
    const counted = async (): Promise<unknown> => (await api.get('/v1/runs/statistics')).body.totals.failed;
    await expect.poll(counted).toBe(1);
    const page = await browser.page(baseUrl(), owner, viewport);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.goto(`/w/${slug}/-/insights`);
    const ended = page.getByRole('region', { name: 'Runs that ended' });
    const bars = ended.getByRole('group', { name: 'Runs that ended, by time' });
    await bars.getByRole('link', { name: /2 succeeded, 1 failed/ }).waitFor();
    expect([24, 25]).toContain(await bars.getByRole('link').count());
    await page.getByRole('region', { name: 'Top errors' }).getByText('exit code').waitFor();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);

    // One of its bars is a stop of the Tab key; the arrows go on from there.
    await bars.getByRole('link').last().focus();
    await page.keyboard.press('ArrowLeft');
    // Twice, as an hour may just have begun.
    await page.keyboard.press('ArrowLeft');
    await ended.getByText('0 failed', { exact: true }).waitFor();
    await page.keyboard.press('End');
    await ended.getByText('1 failed', { exact: true }).first().waitFor();
    await expectAccessible(page);

    await ended.getByRole('button', { name: 'Show as a table' }).click();
    await expectAccessible(page);
    await ended.getByRole('link', { name: /^1 failed, / }).click();
    await page.waitForURL(/\/runs\?.*status=failed/);
    const list = page.getByRole('table', { name: 'Runs' });
    await expect.poll(() => list.getByRole('link', { name: script.slug }).count()).toBe(1);
    await expectNoSidewaysScroll(page);
    await page.getByRole('button', { name: /^Without the period/ }).click();
    await expect.poll(() => new URL(page.url()).search).toBe('?status=failed');

    await page.goto(`/w/${slug}/-/insights?since=week`);
    await page.getByText('Own', { exact: true }).click();
    await page.getByLabel('First day').waitFor();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await page.getByText('By hour').click();
    await expect.poll(() => new URL(page.url()).searchParams.get('by')).toBe('hour');
    await bars.getByRole('link', { name: /1 failed/ }).waitFor();
    await expect.poll(() => bars.getByRole('link').count()).toBeGreaterThanOrEqual(168);
    await expectNoSidewaysScroll(page);
  });

  it('of a script are by version, and take what ends meanwhile', async () => {
    const { owner, slug } = await newWorkspace();
    const api = client({ token: owner.token, workspace: slug });
    const script = await python(api, 'pass');
    const page = await browser.page(baseUrl(), owner);
    await page.goto(`/w/${slug}/-/scripts/${script.slug}/insights`);
    await page.getByText('No run has ended in this time.').waitFor();
    await run(api, script);
    await page.getByRole('table', { name: 'By version' }).getByText('Version 1').waitFor();
    await page.getByRole('link', { name: /1 succeeded, 0 failed/ }).waitFor();
    await expectAccessible(page);
  });

  it('are not open to guests, who have the days of what they ran', async () => {
    const workspace = await newWorkspace();
    const api = client({ token: workspace.owner.token, workspace: workspace.slug });
    const script = await python(api, 'pass');
    const guest = await workspace.person('guest');
    const team = await api.post('/v1/workspace/teams', { name: 'Visitors' });
    await api.put(`/v1/workspace/teams/${team.body.id}/members/${guest.id}`);
    const shared = { access: 'teams', teamIds: [team.body.id] };
    expect((await api.patch(`/v1/scripts/${script.slug}`, shared)).status).toBe(200);
    // Of one day, too.
    await withinOneHour();
    const { body } = await run(inApp(guest, workspace), script);
    await runUntil(api, body.id, finished);
    const days = async () => (await api.get(`/v1/scripts/${script.slug}/activity`)).body.days as Json[];
    await expect.poll(async () => (await days()).some(({ succeeded }) => succeeded === 1)).toBe(true);
    const page = await browser.page(baseUrl(), guest);
    await page.goto(`/w/${workspace.slug}/-/scripts/${script.slug}/usage`);
    const activity = page.getByRole('region', { name: 'Runs of the last 30 days' });
    await activity.getByText('1 succeeded').waitFor();
    expect(await page.getByRole('link', { name: 'Insights' }).count()).toBe(0);
    await expectAccessible(page);
    await activity.getByRole('button', { name: 'Show as a table' }).click();
    await expect
      .poll(() => activity.getByRole('cell').allTextContents())
      .toEqual([expect.any(String), '1', '1', '0']);
  });
});

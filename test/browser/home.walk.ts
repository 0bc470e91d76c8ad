import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';

import type { Json } from '../../libs/testing/index.js';
import { DESK, PHONE, describeWalk, expectAccessible, expectNoSidewaysScroll } from '../support/browser.js';
import { baseUrl, client, database, newWorkspace } from '../support/gatehouse.js';
import { withinOneHour } from '../support/hours.js';
import { inApp } from '../support/people.js';
import { finished, python, run, runUntil } from '../support/scripts.js';
import { allDispatched } from '../support/triggers.js';

const MOST_REQUESTS = 8;
/** Of the frame around every page. */
const FRAME = /\/(session|stream|environments)$/;
const WAITS_FOR_ITS_END = `
import sys, time
print("::progress 0.4 12 of 30 customers", file=sys.stderr, flush=True)
time.sleep(600)`;

describeWalk('the home of a workspace', (browser) => {
  it.each([
    ['at a desk', DESK, 'light'],
    ['at a desk in the dark', DESK, 'dark'],
    ['on a tablet', { width: 768, height: 1024 }, 'light'],
    ['on a phone', PHONE, 'dark'],
  ] as const)('tells how things are going, with few requests, %s', async (_, viewport, colorScheme) => {
    const workspace = await newWorkspace();
    const { owner, slug } = workspace;
    const api = client({ token: owner.token, workspace: slug });
    const broken = await python(api, 'raise ValueError("no such city")');
    await withinOneHour();
    for (const { body } of [await run(api, broken), await run(api, broken)])
      await runUntil(api, body.id, finished);
    const long = await python(api, WAITS_FOR_ITS_END, { timeout: 900 });
    const { body: going } = await run(api, long);
    await runUntil(api, going.id, ({ progress }) => progress === 0.4);
    // None is due before the end of this.
    const day = new Date(Date.now() + 2 * 86_400_000).getUTCDay();
    for (let hour = 0; hour < 6; hour += 1) {
      const schedule = { name: `At ${hour}`, cron: `0 ${hour} * * ${day}` };
      expect((await api.post(`/v1/scripts/${broken.slug}/schedules`, schedule)).status).toBe(201);
    }
    const asked = await python(api, 'pass');
    await api.patch(`/v1/scripts/${asked.slug}`, { approvalPolicy: 'always' });
    const member = await workspace.person('member');
    const { body: held } = await run(inApp(member, workspace), asked);
    const endpoint = { url: 'https://hooks.example.com/gone', description: 'Gone' };
    const { body: stopped } = await api.post('/v1/workspace/webhook-endpoints', endpoint);
    await database().query('UPDATE webhook_endpoints SET enabled = false WHERE id = $1', [
      stopped.endpoint.id,
    ]);
    await expect.poll(async () => (await api.get('/v1/errors')).body.items[0]?.count as number).toBe(2);
    const counted = async () => (await api.get('/v1/runs/statistics?by=hour')).body.totals.failed as number;
    await expect.poll(counted).toBe(2);
    // What is told of them later would be read again.
    await allDispatched(workspace);

    const page = await browser.page(baseUrl(), owner, viewport);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const requests = requestsOf(page);
    await page.goto('/');
    await page.waitForURL(`**/w/${slug}/-`);
    const part = (name: string) => page.getByRole('region', { name });
    await part('Needs somebody').getByRole('link', { name: endpoint.url }).waitFor();
    await part('Waiting for you')
      .getByRole('link', { name: `Run ${asked.slug}` })
      .waitFor();
    await part('Failures since yesterday').getByText('2 runs').waitFor();
    await part('Running now').getByText('12 of 30 customers').waitFor();
    await expect.poll(() => part('Next schedules').getByRole('link', { name: /^At/ }).count()).toBe(5);
    await part('The last 24 hours')
      .getByRole('link', { name: /0 succeeded, 2 failed/ })
      .waitFor();
    // Of what goes on, it asks again every few seconds.
    expect(new Set(requests()).size, requests().join('\n')).toBeLessThanOrEqual(MOST_REQUESTS);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);

    await part('Waiting for you')
      .getByRole('button', { name: /^Approve/ })
      .click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Approve/ })
      .click();
    await part('Waiting for you').getByText('Nothing waits for you.').waitFor();
    expect((await runUntil(api, held.id ?? held.run.id, finished)).status).toBe('succeeded');
    await part('The last 24 hours')
      .getByRole('link', { name: /1 succeeded, 2 failed/ })
      .waitFor();

    await part('Failures since yesterday')
      .getByRole('button', { name: /^Run again/ })
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(`Run 2 runs of ${broken.slug} again?`).waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Run them again' }).click();
    await part('Failures since yesterday').getByText('4 runs').waitFor();

    await page.keyboard.press('Escape');
    await api.post(`/v1/runs/${going.id}/cancel`);
    await part('Running now').getByText('Nothing is running.').waitFor();

    await part('Next schedules').getByRole('link', { name: 'Schedules' }).click();
    const week = page.getByRole('list', { name: 'The next seven days' });
    await week.getByRole('link', { name: 'At 3' }).first().waitFor();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await page.getByRole('radio', { name: 'Table' }).press('Space');
    const schedules = page.getByRole('table', { name: 'Schedules' });
    await expect.poll(() => schedules.getByText(`${broken.slug}: At`).count()).toBe(6);
    await schedules.getByRole('switch', { name: 'At 3 is on' }).press('Space');
    await expect
      .poll(async () => (await api.get('/v1/schedules')).body.items.filter(isOff).length as number)
      .toBe(1);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });

  it.each([
    ['at a desk', DESK],
    ['on a phone', PHONE],
  ])('shows three steps until something has run, %s', async (_, viewport) => {
    const { owner, slug } = await newWorkspace();
    const api = client({ token: owner.token, workspace: slug });
    const page = await browser.page(baseUrl(), owner, viewport);
    await page.goto(`/w/${slug}/-`);
    const steps = page.getByRole('region', { name: 'First steps' });
    await steps.getByRole('link', { name: 'New script' }).waitFor();
    expect(await steps.getByRole('listitem').count()).toBe(3);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    const script = await python(api, 'pass');
    await page.goto(`/w/${slug}/-`);
    await steps.getByRole('link', { name: 'Run it' }).waitFor();
    await run(api, script);
    await steps.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: /1 succeeded, 0 failed/ }).waitFor();
  });

  it('is not that of guests, who begin with their scripts', async () => {
    const workspace = await newWorkspace();
    const guest = await workspace.person('guest');
    const page = await browser.page(baseUrl(), guest);
    await page.goto('/');
    await page.waitForURL(`**/w/${workspace.slug}/-/scripts`);
    await page.getByText('No script is shared with you yet').waitFor();
    expect(await page.getByRole('link', { name: 'Home' }).count()).toBe(0);
  });
});

const isOff = ({ enabled }: Json): boolean => !enabled;

/** What the page itself has asked the service for. */
function requestsOf(page: Page): () => string[] {
  const paths: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith('/v1/') && !FRAME.test(pathname)) paths.push(pathname + search);
  });
  return () => paths;
}

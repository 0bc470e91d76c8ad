import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';

import { DESK, PHONE, describeWalk, expectAccessible, expectNoSidewaysScroll } from '../support/browser.js';
import { baseUrl, client, newWorkspace } from '../support/gatehouse.js';
import { inApp } from '../support/people.js';
import { python, run } from '../support/scripts.js';

/** What the browser has told is kept besides. */
const KEEPS_NOTICES = `
  window.told = [];
  const Real = window.Notification;
  window.Notification = class extends Real {
    constructor(title, options) {
      super(title, options);
      window.told.push({ title, body: options.body, open: () => this.onclick() });
    }
  };`;

describeWalk('what waits for a person', (browser) => {
  it.each([
    ['at a desk', DESK, 'light'],
    ['on a phone, in the dark', PHONE, 'dark'],
  ] as const)(
    'is told by the browser only to who asked for it, once, %s',
    async (_, viewport, colorScheme) => {
      const workspace = await newWorkspace();
      const { owner, slug } = workspace;
      const api = client({ token: owner.token, workspace: slug });
      const script = await python(api, 'pass');
      await api.patch(`/v1/scripts/${script.slug}`, { approvalPolicy: 'always' });
      const member = inApp(await workspace.person('member'), workspace);

      const page = await browser.page(baseUrl(), owner, viewport);
      await page.context().grantPermissions(['notifications'], { origin: baseUrl() });
      await page.addInitScript(KEEPS_NOTICES);
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.goto(`/w/${slug}/-/approvals`);
      await page.getByText('Nothing waits for you').waitFor();
      expect(await iconOf(page)).toBe('./favicon.svg');
      const wish = page.getByRole('switch', { name: 'Tell me in this browser' });
      expect(await wish.isChecked()).toBe(false);
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);

      // Nobody has asked for it: the icon and the title alone say it.
      await hide(page, true);
      await run(member, script);
      await expect.poll(() => iconOf(page)).toBe('./favicon-waiting.svg');
      await expect.poll(() => page.title()).toMatch(/^\(1\) /);
      expect(await told(page)).toEqual([]);

      await hide(page, false);
      await wish.check();
      await hide(page, true);
      await run(member, script);
      const notice = {
        title: 'Waits for your yes or no',
        body: `Run ${script.slug} in production`,
      };
      await expect.poll(() => told(page)).toEqual([notice]);
      await expect.poll(() => page.title()).toMatch(/^\(2\) /);
      // What was told is not told again by who reads on.
      await hide(page, false);
      const followed = page.waitForResponse('**/v1/workspace/events/stream');
      await page.goto(`/w/${slug}/-/runs`);
      await page.getByRole('table', { name: 'Runs' }).waitFor();
      // What is there when the page has read it for the first time is no news.
      await expect.poll(() => page.title()).toMatch(/^\(2\) /);
      await followed;
      expect(await told(page)).toEqual([]);
      await hide(page, true);
      await run(member, script);
      await expect.poll(() => told(page)).toEqual([notice]);
      await page.evaluate('void window.told[0].open()');
      await page.waitForURL('**/approvals/apr_*');
    },
  );

  it('is not told where the browser refuses, which the page says', async () => {
    const { owner, slug } = await newWorkspace();
    const page = await browser.page(baseUrl(), owner);
    await page.addInitScript(`
      Object.defineProperty(Notification, 'permission', { get: () => 'denied' })`);
    await page.goto(`/w/${slug}/-/approvals`);
    await page.getByText('This browser does not let the site do so.').waitFor();
    expect(await page.getByRole('switch', { name: 'Tell me in this browser' }).isDisabled()).toBe(true);
    await expectAccessible(page);
  });
});

const iconOf = (page: Page): Promise<string | null> => page.locator('link[rel=icon]').getAttribute('href');

const told = (page: Page): Promise<unknown[]> =>
  page.evaluate<unknown[]>('window.told.map(({ title, body }) => ({ title, body }))');

/** As when the person goes to another tab, or comes back. */
async function hide(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${hidden} });
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${hidden ? 'hidden' : 'visible'}' });
    void document.dispatchEvent(new Event('visibilitychange'))`);
}

import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';

import type { Client } from '../../libs/testing/index.js';
import { DESK, PHONE, describeWalk, expectAccessible, expectNoSidewaysScroll } from '../support/browser.js';
import { baseUrl, client, newWorkspace } from '../support/gatehouse.js';
import { finished, python, run, runUntil } from '../support/scripts.js';

const TABLET = { width: 768, height: 1024 };

const REPORTS = `
import sys
def say(line): print(line, file=sys.stderr, flush=True)
say("DEBUG beginning")
say("::group::Install \\x1b[1mpackages\\x1b[0m")
for number in range(40): say(f"package {number} took {number} ms")
say("::endgroup::")
say("::progress 0.5 half of it")
say('{"level":"error","message":"no such city"}')
say("took 12 ms")
say("x" * 40 + "!")
say("::group::Test")
say("a test")
sys.exit(3)
`;

describeWalk('the log of a run', (browser) => {
  it.each([
    ['at a desk', DESK, 'light'],
    ['on a tablet', TABLET, 'light'],
    ['on a phone in the dark', PHONE, 'dark'],
  ] as const)('folds its groups and shows its times, %s', async (_, viewport, colorScheme) => {
    const { page, slug, id } = await opened(viewport, colorScheme);
    const install = page.getByRole('button', { name: /^Install packages/ });
    await install.waitFor();
    await expect
      .poll(() => textsOf(page))
      .toEqual([
        '1DEBUG beginning',
        'Install packages 40',
        '44{"level":"error","message":"no such city"}',
        '45took 12 ms',
        `46${'x'.repeat(40)}!`,
        'Test 1',
        '48a test',
      ]);
    expect(await install.getAttribute('aria-expanded')).toBe('false');
    await install.press('Enter');
    await page.getByText('package 3 took 3 ms').waitFor();
    expect(await install.getAttribute('aria-expanded')).toBe('true');
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);

    await page.getByRole('button', { name: 'Open all groups' }).press('Enter');
    await page.getByRole('button', { name: 'Fold all groups' }).press('Enter');
    await page.getByText('package 3 took 3 ms').waitFor({ state: 'detached' });
    await page.getByLabel('Times of lines').selectOption('Since the start');
    await expect.poll(() => page.locator('[role=log] time').first().textContent()).toMatch(/^\d+\.\d$/);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await page.getByLabel('Times of lines').selectOption('Time of day');
    await page.reload();
    await expect
      .poll(() => page.locator('[role=log] time').first().textContent())
      .toMatch(/^\d\d:\d\d:\d\d\.\d$/);

    // A line that the address names is shown, whatever is folded.
    await page.goto(`/w/${slug}/-/runs/${id}#L10`);
    await page.locator('[role=log] [data-chosen]').getByText('package 7 took 7 ms').waitFor();
  });

  it('searches by a regular expression, with the lines around', async () => {
    const { page } = await opened(DESK, 'light');
    const search = page.getByRole('textbox', { name: 'Search the log' });
    await page.getByRole('button', { name: 'Regular expression' }).press('Enter');
    await search.fill('package 1[23] |^took \\d+');
    await page.getByText('3 of 48 lines').waitFor();
    await expect
      .poll(() => page.locator('[role=log] mark').allTextContents())
      .toEqual(['package 12 ', 'package 13 ', 'took 12']);
    await page.getByLabel('Lines around each one that matches').selectOption('2');
    await expect
      .poll(() => textsOf(page))
      .toEqual([
        ...[10, 11, 12, 13, 14, 15].map((number) => `${number + 3}package ${number} took ${number} ms`),
        '43::endgroup::',
        '44{"level":"error","message":"no such city"}',
        '45took 12 ms',
        `46${'x'.repeat(40)}!`,
        '47::group::Test',
      ]);
    await search.press('Enter');
    await page.waitForURL(/#L15$/);
    await search.press('Shift+Enter');
    await page.waitForURL(/#L45$/);
    await expectAccessible(page);

    await search.fill('(');
    await page.getByText(/^Invalid regular expression/).waitFor();
    await expectAccessible(page);
    // It would take longer than anybody lives, and the page goes on meanwhile.
    await search.fill('^(x+)+$');
    await page.getByText('It takes too long on these lines.').waitFor();
    await search.fill('a test$');
    await page.getByText('1 of 48 lines').waitFor();
  });

  it('says how many lines there are while they come', async () => {
    const { page, api, slug } = await begun();
    const id = await ended(api, 'import sys\nfor n in range(3000): print("line", n, file=sys.stderr)');
    // A connection that breaks before the rest has come.
    const data = JSON.stringify({ first: 0, lines: ['line 0', 'line 1'], at: null });
    const response = { contentType: 'text/event-stream', body: `event: lines\nid: 2\ndata: ${data}\n\n` };
    let goOn = (): void => undefined;
    const seen = new Promise<void>((done) => (goOn = done));
    await page.route('**/log/stream*', (route) => seen.then(() => route.continue()));
    await page.route('**/log/stream*', (route) => route.fulfill(response), { times: 1 });
    await page.goto(`/w/${slug}/-/runs/${id}`);
    await page.getByText('2 of 3,000 lines …').waitFor();
    goOn();
    await page.getByText('3,000 lines', { exact: true }).waitFor();
  });

  async function begun(viewport = DESK) {
    const { owner, slug } = await newWorkspace();
    const api = client({ token: owner.token, workspace: slug });
    return { page: await browser.page(baseUrl(), owner, viewport), api, slug };
  }

  async function opened(viewport: typeof DESK, colorScheme: 'light' | 'dark') {
    const { page, api, slug } = await begun(viewport);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const id = await ended(api, REPORTS);
    await page.goto(`/w/${slug}/-/runs/${id}`);
    await page.getByText('a test', { exact: true }).waitFor();
    return { page, slug, id };
  }
});

async function ended(api: Client, code: string): Promise<string> {
  const { body } = await run(api, await python(api, code));
  await runUntil(api, body.id, finished);
  return body.id as string;
}

/** What each line shows, with its number. */
function textsOf(page: Page): Promise<(string | null)[]> {
  return page.locator('[role=log] [data-index]').allTextContents();
}

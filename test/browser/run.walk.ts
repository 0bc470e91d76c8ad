import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';

import type { Client } from '../../libs/testing/index.js';
import { DESK, PHONE, describeWalk, expectAccessible, expectNoSidewaysScroll } from '../support/browser.js';
import { baseUrl, client, newWorkspace } from '../support/gatehouse.js';
import { finished, newVersion, publishedScript, python, run, runUntil } from '../support/scripts.js';

const FAILS = `import sys
for line in range(69):
    print("line", line)
raise ValueError("no such city")
`;

const PLANNED = `import urllib.error, urllib.request
try: urllib.request.urlopen(urllib.request.Request("https://api.example.com/v1/charges", b'{"amount": 5}', {"Content-Type": "application/json"}))
except urllib.error.HTTPError as error: print(error.code)`;

describeWalk('the page of a run', (browser) => {
  it('opens the log of a run that failed at its end, and of one that ended well at its beginning', async () => {
    const { page, api, slug } = await begun();
    const failed = await ended(api, FAILS);
    await page.goto(`/w/${slug}/-/runs/${failed}`);
    await expect.poll(() => isInView(page, 'ValueError: no such city')).toBe(true);
    await page.getByRole('textbox', { name: 'Search the log' }).fill('line 3');
    await expect.poll(() => isInView(page, 'line 3')).toBe(true);
    await page.getByRole('textbox', { name: 'Search the log' }).press('Shift+Enter');
    await page.waitForURL(/#L40$/);
    await page.getByRole('button', { name: 'Only lines that match' }).press('Enter');
    await expect.poll(() => isInView(page, 'line 39')).toBe(true);
    await expect.poll(() => isInView(page, 'line 40')).toBe(true);
    await page.getByRole('button', { name: 'The next line that matches' }).press('Enter');
    await page.waitForURL(/#L4$/);
    await expect.poll(() => isInView(page, 'line 3')).toBe(true);
    await expectAccessible(page);
    const good = await ended(api, FAILS.replace(/raise.*/, ''));
    await page.goto(`/w/${slug}/-/runs/${good}`);
    await expect.poll(() => isInView(page, 'line 0')).toBe(true);
  });

  it('offers the whole log where it is longer than what is shown, and searches it', async () => {
    const { page, api, slug } = await begun();
    const script = await python(api, 'import sys\nfor n in range(12000): print("line", n, file=sys.stderr)');
    const { id } = (await run(api, script)).body;
    await runUntil(api, id, finished);
    await page.goto(`/w/${slug}/-/runs/${id}`);
    await page.getByRole('searchbox', { name: 'Search the whole log' }).fill('line 2345');
    const found = page.getByRole('table', { name: 'Lines of the whole log' });
    await expect.poll(() => found.getByRole('row').allTextContents()).toEqual(['2346line 2345']);
    await expectAccessible(page);
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'The whole log, 121 KB' }).click();
    expect((await saving).suggestedFilename()).toBe(`${id}.log`);
  });

  it.each([
    ['at a desk', DESK, 'light'],
    ['on a phone in the dark', PHONE, 'dark'],
  ] as const)('plans a run, and lists what it would have sent, %s', async (_, viewport, colorScheme) => {
    const { page, api, slug } = await begun();
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const script = await python(api, PLANNED, {
      hosts: ['api.example.com'],
      inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
    });
    await page.goto(`/w/${slug}/-/scripts/${script.slug}`);
    await page.getByRole('textbox', { name: 'city' }).fill('Oslo');
    await page.getByRole('button', { name: 'Plan', exact: true }).click();
    await page.waitForURL(/\/runs\/run_/);
    await page.getByText('Plan: nothing was sent').waitFor();
    const list = page.getByRole('region', { name: 'What it would have sent' });
    await list.getByRole('button', { name: /POST https:\/\/api\.example\.com\/v1\/charges/ }).click();
    await list.getByText('content-type: application/json', { exact: false }).waitFor();
    await list.getByText('"amount": 5').waitFor();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await page.goto(`/w/${slug}/-/runs?plan=true`);
    await page.getByText('Plan', { exact: true }).waitFor();
    await expectAccessible(page);
    await page.goto(`/w/${slug}/-/runs?plan=false`);
    await page.getByText('No run', { exact: false }).first().waitFor();
    const [{ id }] = (await api.get(`/v1/runs?script=${script.slug}`)).body.items;
    expect((await api.get(`/v1/runs/${id}`)).body).toMatchObject({ plan: true, inputs: { city: 'Oslo' } });
  });

  it.each([
    ['at a desk', DESK, 'light'],
    ['on a phone in the dark', PHONE, 'dark'],
  ] as const)(
    'tells why a run failed and what differs from the last success, %s',
    async (_, viewport, colorScheme) => {
      const { page, api, slug } = await begun();
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const schema = { inputSchema: { type: 'object', properties: { city: { type: 'string' } } } };
      const script = await python(api, 'print("fine")', schema);
      await runUntil(api, (await run(api, script, { city: 'Oslo' })).body.id, finished);
      await newVersion(api, script.slug, { 'main.py': FAILS }, schema);
      await api.post(`/v1/scripts/${script.slug}/publish`, { version: 2 });
      const { id } = (await run(api, script, { city: 'Nowhere' })).body;
      await runUntil(api, id, finished);
      await page.goto(`/w/${slug}/-/runs/${id}`);
      const since = page.getByRole('region', { name: 'Since the last success' });
      await since.getByText('"Nowhere"').waitFor();
      expect(await since.locator('dd').allTextContents()).toEqual(['1 → 2', '"Oslo" → "Nowhere"']);
      await expect.poll(() => isInView(page, 'ValueError: no such city')).toBe(true);
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);

      await page.getByRole('button', { name: 'Copy for a ticket' }).click();
      const copied = () => page.evaluate<string>('navigator.clipboard.readText()');
      await expect.poll(copied).toContain(`/w/${slug}/-/runs/${id}`);
      const ticket = await copied();
      expect(ticket).toContain('version 1 → 2; input city differs');
      expect(ticket).toMatch(/\n```\n[^`]*line 67\n[^`]*ValueError: no such city\n[^`]*```\n$/);
      expect(ticket).not.toContain('Nowhere');
      await since.getByRole('link', { name: 'see what changed' }).click();
      await page.waitForURL(/versions\/2\?view=changes&against=1$/);
      await page.goBack();
      await page.getByRole('button', { name: 'Run again' }).waitFor();
      // Also what is not published any more.
      await api.post(`/v1/scripts/${script.slug}/publish`, { version: 1 });
      await page.getByRole('link', { name: 'Edit this version' }).click();
      await page.getByRole('heading', { level: 1, name: 'Draft of version 2' }).waitFor();
      await page.goto(`/w/${slug}/-/scripts/${script.slug}/edit?version=1`);
      await page.getByRole('heading', { level: 1, name: 'Draft of version 1' }).waitFor();
      await expectAccessible(page);
    },
  );

  it('tells where nothing has succeeded before', async () => {
    const { page, api, slug } = await begun();
    const failed = await ended(api, FAILS);
    await page.goto(`/w/${slug}/-/runs/${failed}`);
    await page.getByText(/^No earlier run of .* in production has succeeded\.$/).waitFor();
    await expectAccessible(page);
  });

  it('wraps long lines for whoever says so, on every run', async () => {
    const { page, api, slug } = await begun();
    const id = await ended(api, 'for line in range(300): print("word " * 300, line)');
    await page.goto(`/w/${slug}/-/runs/${id}`);
    const log = page.getByRole('log');
    await log.getByText('word').first().waitFor();
    const isWide = () =>
      page.evaluate<boolean>(`(() => {
      const { scrollWidth, clientWidth } = document.querySelector('[role=log]');
      return scrollWidth > clientWidth;
    })()`);
    await expect.poll(isWide).toBe(true);
    await page.getByRole('button', { name: 'Wrap long lines' }).press('Enter');
    await expect.poll(isWide).toBe(false);
    const end = async () => {
      // What is drawn on the way is measured then, and the end is farther down.
      await log.press('End');
      return log.getByText('word 299').isVisible();
    };
    await expect.poll(end).toBe(true);
    await page.reload();
    await log.getByText('word').first().waitFor();
    await expect.poll(isWide).toBe(false);
    await expectAccessible(page);
  });

  it('leads from a run to what it caused, and back', async () => {
    const { page, api, slug } = await begun();
    const first = await ended(api, 'print(1)');
    const { body: second } = await api.post(`/v1/runs/${first}/rerun`);
    const { body: third } = await api.post(`/v1/runs/${second.id}/rerun`);
    const { body: other } = await api.post(`/v1/runs/${first}/rerun`);
    await page.goto(`/w/${slug}/-/runs/${first}`);
    const chain = page.getByRole('region', { name: 'Chain' });
    const idsOf = async (): Promise<(string | undefined)[]> => {
      const links = await chain.getByRole('link').all();
      return (await Promise.all(links.map((link) => link.getAttribute('href')))).map((href) =>
        href?.split('/').at(-1),
      );
    };
    await expect.poll(idsOf).toEqual([other.id, second.id]);
    await chain.getByText(', this run').waitFor();
    await expectAccessible(page);

    // The same from its other end: the way up to the first one, and what else that caused where somebody asks.
    await page.setViewportSize(PHONE);
    await page.goto(`/w/${slug}/-/runs/${third.id}`);
    await expect.poll(idsOf).toEqual([first, second.id]);
    await chain
      .getByRole('button', { name: /caused$/ })
      .first()
      .press('Enter');
    await expect.poll(idsOf).toEqual([first, second.id, other.id]);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await chain.getByRole('link').first().click();
    await page.waitForURL(new RegExp(`/runs/${first}$`));
    await expect.poll(idsOf).toEqual([other.id, second.id]);
  });

  it('shows a run that somebody stopped as stopped, not as gone wrong', async () => {
    const { page, api, slug } = await begun();
    const script = await python(api, 'import time\ntime.sleep(60)', { timeout: 90 });
    const { body } = await run(api, script);
    await runUntil(api, body.id, ({ phase }) => phase === 'executing');
    await api.post(`/v1/runs/${body.id}/cancel`);
    await page.goto(`/w/${slug}/-/runs/${body.id}`);
    await page.getByRole('heading', { level: 1 }).getByText('Cancelled').waitFor();
    await page.locator('li[data-state=stopped]').getByText('Cancelled').waitFor();
    expect(await page.locator('li[data-state=failed]').count()).toBe(0);
    await expectAccessible(page);
  });

  it('shows when a run is tried again, and each attempt after its end', async () => {
    const { page, api, slug } = await begun();
    const code = `import os, sys
attempt = os.environ["GATEHOUSE_ATTEMPT"]
print("line of attempt", attempt)
sys.exit(75 if attempt == "1" else 0)`;
    const waiting = await python(api, code, { retry: { attempts: 3, delay: 3600 }, timeout: 60 });
    const { body } = await run(api, waiting);
    await page.goto(`/w/${slug}/-/runs/${body.id}`);
    const attempts = page.getByRole('table', { name: 'Attempts' });
    await attempts.getByText('exit code 75').waitFor();
    await page.getByText('Waiting to try again').first().waitFor();
    await page.getByText('Attempt 1 did not end well').first().waitFor();
    expect(await page.getByText('This run failed').count()).toBe(0);
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(page);
    await page.getByRole('button', { name: 'Cancel' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the run' }).click();
    await page.getByRole('heading', { level: 1 }).getByText('Cancelled').waitFor();
    await attempts.getByText('exit code 75').waitFor();

    const again = await python(api, code, { retry: { attempts: 3, delay: 0 } });
    const tried = (await run(api, again)).body;
    await page.goto(`/w/${slug}/-/runs/${tried.id}`);
    await page.getByRole('heading', { level: 1 }).getByText('Succeeded').waitFor();
    await expect.poll(() => attempts.getByRole('row').count()).toBe(3);
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  });

  it('shows when a run is to begin, and starts it then', async () => {
    const { page, api, slug } = await begun();
    const { slug: script } = await python(api, 'print("later")');
    await page.goto(`/w/${slug}/-/scripts/${script}`);
    await page.getByRole('button', { name: 'Options', exact: true }).click();
    await page.getByLabel('Start at').fill('2099-01-31T09:30');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('button', { name: 'Options', exact: true }).click();
    await page.getByText('must be within a year').first().waitFor();
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16);
    await page.getByLabel('Start at').fill(tomorrow);
    await page.getByLabel('Labels').fill('ticket=Q-981');
    await page.keyboard.press('Enter');
    await page.getByLabel('Attempts').fill('3');
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('Starts later').first().waitFor();
    const [asked] = (await api.get(`/v1/runs?script=${script}`)).body.items;
    expect(asked).toMatchObject({ labels: { ticket: 'Q-981' } });
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(page);
  });

  async function begun() {
    const { owner, slug } = await newWorkspace();
    const api = client({ token: owner.token, workspace: slug });
    return { page: await browser.page(baseUrl(), owner), api, slug };
  }
});

describeWalk('a form that runs a script', (browser) => {
  it('keeps what was typed while one looks elsewhere, but no secret', async () => {
    const { owner, slug } = await newWorkspace();
    const api = client({ token: owner.token, workspace: slug });
    const files = { 'main.py': 'import sys\nprint(sys.argv[1])\n' };
    const { slug: script } = await publishedScript(api, files, {
      command: 'python main.py {city} {password}',
    });
    const page = await browser.page(baseUrl(), owner, PHONE);
    await page.goto(`/w/${slug}/-/scripts/${script}`);
    await page.getByLabel('city').fill('Lisbon');
    await page.getByLabel('password').fill('a secret that is kept nowhere');
    await page.goto(`/w/${slug}/-/runs`);
    await page.getByRole('heading', { level: 1, name: 'Runs' }).waitFor();
    await page.goBack();
    await page.getByText('These are your inputs as you left them.').waitFor();
    expect(await page.getByLabel('city').inputValue()).toBe('Lisbon');
    expect(await page.getByLabel('password').inputValue()).toBe('');
    expect(await page.evaluate<string>('JSON.stringify({ ...sessionStorage })')).not.toContain('a secret');
    await expectNoSidewaysScroll(page);
    await page.getByRole('button', { name: 'Start from the defaults' }).click();
    await expect.poll(() => page.getByLabel('city').inputValue()).toBe('');
  });
});

describeWalk('the frame around the pages', (browser) => {
  it('stays where one is when the environment changes', async () => {
    const { owner, slug } = await newWorkspace();
    const api = client({ token: owner.token, workspace: slug });
    const script = await python(api, 'pass');
    await api.post('/v1/workspace/environments', { name: 'staging' });
    const page = await browser.page(baseUrl(), owner);
    await page.goto(`/w/${slug}/-/scripts/${script.slug}/versions`);
    await page.getByRole('button', { name: /^Environment .*; switch$/ }).click();
    await page.getByRole('menuitem', { name: 'staging' }).click();
    await page.waitForURL(`**/w/${slug}/staging/scripts/${script.slug}/versions`);
    await page.getByRole('heading', { level: 1 }).waitFor();
  });

  it('names its search, and has a heading where there is no page', async () => {
    const { owner, slug } = await newWorkspace();
    const page = await browser.page(baseUrl(), owner);
    await page.goto(`/w/${slug}/-/settings/extensions/unknown`);
    await page.getByRole('heading', { level: 1, name: 'There is no such page' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Search' }).waitFor();
    await expectAccessible(page);
  });

  it('warns of a secret that is too short to be masked before it is stored', async () => {
    const { owner, slug } = await newWorkspace();
    const page = await browser.page(baseUrl(), owner);
    await page.goto(`/w/${slug}/-/settings/secrets`);
    await page.getByRole('button', { name: 'New secret' }).click();
    const value = page.getByRole('dialog').getByLabel('Value');
    const warning = page.getByText('It has fewer than 6 characters');
    await value.fill('12345');
    await warning.waitFor();
    await expectAccessible(page);
    await value.fill('123456');
    await warning.waitFor({ state: 'detached' });
  });
});

async function ended(api: Client, code: string): Promise<string> {
  const { body } = await run(api, await python(api, code));
  await runUntil(api, body.id, finished);
  return body.id as string;
}

/** Whether the line of the log that is this text can be seen in it. */
function isInView(page: Page, text: string): Promise<boolean> {
  return page.evaluate<boolean>(`(() => {
    const log = document.querySelector('[role=log]');
    if (!log) return false;
    const { top, bottom } = log.getBoundingClientRect();
    return [...log.querySelectorAll('span')].some((line) => {
      const at = line.getBoundingClientRect();
      return line.textContent === ${JSON.stringify(text)} && at.top >= top && at.bottom <= bottom + 1;
    });
  })()`);
}

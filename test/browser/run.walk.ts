import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';

import type { Client } from '../../libs/testing/index.js';
import { PHONE, describeWalk, expectAccessible, expectNoSidewaysScroll } from '../support/browser.js';
import { baseUrl, client, newWorkspace } from '../support/gatehouse.js';
import { finished, publishedScript, python, run, runUntil } from '../support/scripts.js';

const FAILS = `import sys
for line in range(69):
    print("line", line)
raise ValueError("no such city")
`;

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
    expect(await isWide()).toBe(true);
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
    expect(await isWide()).toBe(false);
    await expectAccessible(page);
  });

  it('leads from a run to what it caused, and back', async () => {
    const { page, api, slug } = await begun();
    const first = await ended(api, 'print(1)');
    const { body } = await api.post(`/v1/runs/${first}/rerun`);
    await page.goto(`/w/${slug}/-/runs/${first}`);
    await page.getByText('It caused').waitFor();
    await expectAccessible(page);
    await page.goto(`/w/${slug}/-/runs/${body.id}`);
    await page.getByRole('link', { name: 'A run that was run again' }).click();
    await page.waitForURL(new RegExp(`/runs/${first}$`));
    await page.getByRole('link', { name: 'See them in the list' }).click();
    await page.waitForURL(/causedBy=/);
    await page.getByRole('table').waitFor();
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
    expect(await attempts.getByRole('row').count()).toBe(3);
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  });

  it('shows when a run is to begin, and starts it then', async () => {
    const { page, api, slug } = await begun();
    const { slug: script } = await python(api, 'print("later")');
    await page.goto(`/w/${slug}/-/scripts/${script}`);
    await page.getByRole('button', { name: 'When', exact: true }).click();
    await page.getByLabel('Start at').fill('2099-01-31T09:30');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('button', { name: 'When', exact: true }).click();
    await page.getByText('must be within a year').first().waitFor();
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16);
    await page.getByLabel('Start at').fill(tomorrow);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('Starts later').first().waitFor();
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
    expect(await page.getByLabel('city').inputValue()).toBe('');
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

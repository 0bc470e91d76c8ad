import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
  chromium,
} from 'playwright-core';
import { afterAll, afterEach, describe, expect } from 'vitest';

import { PATIENCE_MS } from '../../libs/testing/patience.js';
import type { TestPerson } from '../../libs/testing/index.js';
import { BROWSER, BROWSER_ARGUMENTS } from './chromium.mjs';

export const PHONE = { width: 375, height: 812 };
export const DESK = { width: 1280, height: 800 };

/** For a whole walk. */
const WALK_MS = 240_000;

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Walks through the console, with a browser of their own, whose pages may not complain in any of them. Where there is no
 * browser they are left out, unless GATEHOUSE_FORBID_SKIPS is 1.
 */
export function describeWalk(name: string, walk: (browser: TestBrowser) => void): void {
  describe.skipIf(!isThereABrowser())(name, { timeout: WALK_MS }, () => {
    const browser = new TestBrowser();
    walk(browser);
    afterEach(() => expect(browser.complaints).toEqual([]));
    // Named last, it comes first: a service that the walk stops is not kept waiting by open pages.
    afterAll(() => browser.close());
  });
}

function isThereABrowser(): boolean {
  if (existsSync(BROWSER)) return true;
  const why = `there is no browser at ${BROWSER}; Debian's package is chromium`;
  if (process.env['GATEHOUSE_FORBID_SKIPS'] === '1') throw new Error(why);
  console.log(`Walks through the console are left out (${why}).`);
  return false;
}

/** A real browser, started for its first page; what its pages complain of is kept. */
export class TestBrowser {
  /** Errors of scripts, and what the Content-Security-Policy refused. */
  readonly complaints: string[] = [];
  private readonly contexts: BrowserContext[] = [];
  private browser: Promise<Browser> | undefined;

  /** A page of somebody who is signed in already, or of nobody. */
  async page(
    baseURL: string,
    person: Pick<TestPerson, 'cookie'> | null,
    viewport: BrowserContextOptions['viewport'] = DESK,
    options: BrowserContextOptions = {},
  ): Promise<Page> {
    this.browser ??= chromium.launch({ executablePath: BROWSER, args: BROWSER_ARGUMENTS });
    const context = await (
      await this.browser
    ).newContext({ baseURL, viewport, reducedMotion: 'reduce', locale: 'en-US', ...options });
    this.contexts.push(context);
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: baseURL });
    if (person) {
      const [name, value] = person.cookie.split('=') as [string, string];
      await context.addCookies([{ name, value, url: baseURL, httpOnly: true, sameSite: 'Lax' }]);
    }
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    page.on('pageerror', (error) => this.complaints.push(`${error.message} at ${page.url()}`));
    page.on('console', (message) => {
      if (/Content.Security.Policy/i.test(message.text())) this.complaints.push(message.text());
    });
    return page;
  }

  async close(): Promise<void> {
    await Promise.all(this.contexts.map((context) => context.close()));
    await (await this.browser)?.close();
  }
}

/** Fills in the form that the page shows to somebody who is not signed in. */
export async function signIn(page: Page, person: Pick<TestPerson, 'email' | 'password'>): Promise<void> {
  await page.getByLabel('E-mail').fill(person.email);
  await page.locator('input[type=password]').fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Writes a line into the editor that the page shows. */
export async function typeAtTheEnd(page: Page, line: string): Promise<void> {
  await page.locator('.cm-content[contenteditable=true]').first().click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(`${line}\n`);
}

/** Presses what makes a version of a draft, or publishes one, and answers what is new in it. */
export async function sayWhatIsNew(
  page: Page,
  act: 'Make a version' | 'Publish',
  message?: string,
): Promise<void> {
  await page.getByRole('button', { name: act, exact: true }).click();
  const dialog = page.getByRole('dialog');
  if (message !== undefined) {
    await dialog.getByRole('textbox', { name: 'What is new in this version' }).fill(message);
  }
  await dialog.getByRole('button', { name: act, exact: true }).click();
}

/** Adds a secret of the workspace to those of a draft. It is known by then, and with it how it is attached. */
export async function chooseSecret(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a secret' }).click();
  const row = page.getByRole('group', { name: /^Secret \d+$/ });
  await row.getByRole('combobox', { name: 'Name' }).click();
  await page.getByRole('option', { name, exact: true }).click();
}

/** Looks at the page as those do who cannot see it well: nothing may be found. */
export async function expectAccessible(page: Page): Promise<void> {
  // By the debugger's way, which the page's policy does not stand in.
  const session = await page.context().newCDPSession(page);
  await session.send('Runtime.evaluate', { expression: axe });
  const findings = await page.evaluate<
    string[]
  >(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map((node) => id + ': ' + node.target.join(' ') + ' ' + node.failureSummary)))`);
  await session.detach();
  expect(findings, page.url()).toEqual([]);
}

/** Nothing of the page may be wider than the screen. A page that was just turned is drawn anew first. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const sideways = (): Promise<number> =>
    page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  await expect.poll(sideways, { message: page.url() }).toBeLessThanOrEqual(0);
}

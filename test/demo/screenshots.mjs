import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { chromium } from 'playwright-core';

import { firstRun, startGatehouse } from '../../dist/libs/testing/index.js';
import { BROWSER, BROWSER_ARGUMENTS } from '../support/chromium.mjs';
import { fill } from './fill.mjs';
import { pagesOf, signIn } from './pages.mjs';
import { DemoReceiver } from './receiver.mjs';

const SIZES = { wide: { width: 1440, height: 900 }, phone: { width: 375, height: 812 } };
const SCHEMES = ['light', 'dark'];

/**
 * Writes every page of the console as a picture, wide and as on a phone, light and dark, of a made-up team's instance.
 *
 * @param {string} directory where the pictures go; emptied before
 * @param {{ only?: string }} [options] only: pages whose name contains this
 */
export async function takeScreenshots(directory, { only = '' } = {}) {
  if (!existsSync(BROWSER)) throw new Error(`There is no browser at ${BROWSER}: install Chromium.`);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const receiver = await DemoReceiver.start();
  const gatehouse = await startGatehouse({
    env: {
      GATEHOUSE_RATE_LIMIT: '0',
      GATEHOUSE_OUTBOUND_ALLOW: '127.0.0.0/8,::1/128',
      NODE_EXTRA_CA_CERTS: receiver.caFile,
    },
  });
  const browser = await chromium.launch({ executablePath: BROWSER, args: BROWSER_ARGUMENTS });
  try {
    const owner = await firstRun(gatehouse);
    const { url: databaseUrl } = JSON.parse(
      readFileSync(join(gatehouse.dataDirectory, 'postgres.json'), 'utf8'),
    );
    await fill(owner, { databaseUrl, receivers: [receiver.url], say: console.log });
    const state = await signIn(browser, owner);
    const pages = (await pagesOf(owner, state)).filter(({ name }) => name.includes(only));
    await photograph(browser, { directory, baseURL: owner.baseUrl, pages, state });
  } finally {
    await browser.close();
    await gatehouse.stop();
    await receiver.close();
  }
}

/** Each page in each size and scheme, as it is once it is drawn. */
export async function photograph(browser, { directory, baseURL, pages, state }) {
  for (const [size, viewport] of Object.entries(SIZES)) {
    for (const colorScheme of SCHEMES) {
      const options = { viewport, colorScheme, baseURL, reducedMotion: 'reduce' };
      const inside = await browser.newContext({ ...options, storageState: state });
      const outside = await browser.newContext(options);
      for (const page of pages) {
        const tab = await (page.outside ? outside : inside).newPage();
        await tab.goto(page.path);
        await tab.waitForLoadState('load');
        await page.ready?.(tab);
        await tab.evaluate(() => document.fonts.ready);
        // The streams stay open, so the network is never idle: a page is drawn when nothing of it is pending for a while.
        await tab.getByRole('heading', { level: 1 }).waitFor();
        await tab.waitForFunction(isDrawn, null, { polling: 100 });
        await tab.screenshot({ path: join(directory, `${page.name}-${size}-${colorScheme}.png`) });
        await tab.close();
      }
      await inside.close();
      await outside.close();
      console.log(`${pages.length} pages, ${size}, ${colorScheme}`);
    }
  }
}

/** Runs in the page, ten times a second: whether nothing was a placeholder for the last second. */
function isDrawn() {
  const pending = document.querySelector('[aria-busy="true"], .mantine-Skeleton-root') !== null;
  window.calm = pending ? 0 : (window.calm ?? 0) + 1;
  return window.calm >= 10;
}

import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { chromium } from 'playwright-core';

import { firstRun, startGatehouse } from '../../dist/libs/testing/index.js';
import { BROWSER, BROWSER_ARGUMENTS } from '../support/chromium.mjs';
import { fill } from './fill.mjs';
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
    for (const [size, viewport] of Object.entries(SIZES)) {
      for (const colorScheme of SCHEMES) {
        const options = { viewport, colorScheme, baseURL: owner.baseUrl, reducedMotion: 'reduce' };
        const inside = await browser.newContext({ ...options, storageState: state });
        const outside = await browser.newContext(options);
        for (const page of pages) {
          const tab = await (page.outside ? outside : inside).newPage();
          await tab.goto(page.path);
          await tab.waitForLoadState('load');
          await page.ready?.(tab);
          await tab.evaluate(() => document.fonts.ready);
          // The streams stay open, so the network is never idle: what a page loads is drawn when nothing is pending.
          await tab.waitForFunction(
            () => !document.querySelector('[aria-busy="true"], .mantine-Skeleton-root'),
          );
          await tab.waitForTimeout(300);
          await tab.screenshot({ path: join(directory, `${page.name}-${size}-${colorScheme}.png`) });
          await tab.close();
        }
        await inside.close();
        await outside.close();
        console.log(`${pages.length} pages, ${size}, ${colorScheme}`);
      }
    }
  } finally {
    await browser.close();
    await gatehouse.stop();
    await receiver.close();
  }
}

async function signIn(browser, { baseUrl, email, password }) {
  const context = await browser.newContext({ baseURL: baseUrl });
  const tab = await context.newPage();
  await tab.goto('/sign-in');
  await tab.getByLabel('E-mail').fill(email);
  await tab.getByLabel('Password', { exact: true }).fill(password);
  await tab.getByRole('button', { name: 'Sign in' }).click();
  await tab.waitForURL('**/scripts');
  const state = await context.storageState();
  await context.close();
  return state;
}

/** Every page: its picture's name, its address, and what else must be there before the picture is taken. */
async function pagesOf({ baseUrl, workspace }, { cookies }) {
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const list = async (path) => {
    const response = await fetch(`${baseUrl}${path}`, { headers: { cookie, 'x-workspace': workspace } });
    return (await response.json()).items;
  };
  const [pending] = await list('/v1/workspace/approval-requests?status=pending&limit=1');
  const [held] = (await list('/v1/workspace/approval-requests?status=pending&limit=10')).filter(
    ({ action }) => action === 'run.start',
  );
  const [sales] = await list('/v1/runs?script=daily-sales&status=succeeded&limit=1');
  const [failed] = await list('/v1/runs?status=failed&limit=1');
  const [endpoint] = await list('/v1/workspace/webhook-endpoints');
  const at = (path) => `/w/${workspace}/-/${path}`;
  return [
    { name: 'sign-in', path: '/sign-in', outside: true },
    { name: 'forgot-password', path: '/forgot-password', outside: true },
    { name: 'scripts', path: at('scripts') },
    { name: 'script', path: at('scripts/daily-sales') },
    { name: 'script-versions', path: at('scripts/daily-sales/versions') },
    { name: 'script-schedules', path: at('scripts/daily-sales/schedules') },
    { name: 'script-triggers', path: at('scripts/clean-temp-files/triggers') },
    { name: 'script-usage', path: at('scripts/daily-sales/usage') },
    { name: 'script-settings', path: at('scripts/daily-sales/settings') },
    { name: 'new-script', path: at('scripts/new') },
    { name: 'runs', path: at('runs') },
    { name: 'run', path: at(`runs/${sales.id}`) },
    ...(failed ? [{ name: 'run-failed', path: at(`runs/${failed.id}`) }] : []),
    { name: 'approvals', path: at('approvals') },
    { name: 'decision', path: `/approvals/${(held ?? pending).id}` },
    { name: 'files', path: at('files') },
    { name: 'webhooks', path: at('webhooks') },
    ...(endpoint ? [{ name: 'webhook', path: at(`webhooks/${endpoint.id}`) }] : []),
    { name: 'event-types', path: at('webhooks/event-types') },
    ...['', 'members', 'teams', 'environments', 'secrets', 'api-keys', 'usage', 'audit'].map((section) => ({
      name: `settings-${section || 'general'}`,
      path: at(`settings/${section}`),
    })),
    { name: 'account', path: '/account' },
    { name: 'not-found', path: at('nowhere') },
  ];
}

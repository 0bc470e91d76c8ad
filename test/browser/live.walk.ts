import type { Page, Request } from 'playwright-core';
import { expect, it } from 'vitest';

import { describeWalk } from '../support/browser.js';
import { baseUrl, client, newWorkspace } from '../support/gatehouse.js';
import { finished, python, run, runUntil } from '../support/scripts.js';
import { allDispatched } from '../support/triggers.js';

const RUNS_A_SECOND = 20;
const SECONDS = 8;
const MOST_REQUESTS_A_SECOND = 2;
/** So many of its newest runs the page has shown while further ones began: a list that starves shows one. */
const SHOWN = 5;
/** More than one page of the list, and so many that it can be read on. */
const MANY = 100;
const ROW = 'a[href*="/runs/run_"]';

describeWalk('the list of runs of a busy workspace', (browser) => {
  it('shows newer runs while they go on with two requests a second, and reads only what it shows', async () => {
    const { owner, slug } = await newWorkspace();
    const api = client({ token: owner.token, workspace: slug });
    const script = await python(api, 'pass', { timeout: 60 });
    await run(api, script);
    const page = await browser.page(baseUrl(), owner);
    await opened(page, slug);

    const asked = requestsOf(page);
    const shown = new Set<string>();
    const runs: Promise<unknown>[] = [];
    const began = Date.now();
    while (Date.now() - began < SECONDS * 1_000 || shown.size < SHOWN || runs.length < MANY) {
      runs.push(run(api, script));
      if (runs.length % 5 === 0) shown.add(await newestShown(page));
      const next = began + (runs.length * 1_000) / RUNS_A_SECOND;
      await new Promise((done) => setTimeout(done, Math.max(0, next - Date.now())));
    }
    const seconds = (Date.now() - began) / 1_000;
    expect(asked.cancelled).toEqual([]);
    expect(asked.of('/v1/scripts')).toEqual([]);
    expect(asked.paths.length).toBeLessThanOrEqual(Math.ceil(seconds * MOST_REQUESTS_A_SECOND) + 1);

    await Promise.all(runs);
    const { body: newest } = await api.get('/v1/runs?limit=1');
    await showsOf(page, newest.items[0].id);

    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => rowsOf(page)).toBeGreaterThan(60);
    const before = await rowsOf(page);
    asked.forget();
    const { body } = await run(api, script);
    // Only what is in view is drawn.
    await page.evaluate('scrollTo(0, 0)');
    await showsOf(page, body.id);
    expect(asked.of('/v1/runs').filter((path) => path.includes('cursor='))).toEqual([]);
    expect(await rowsOf(page)).toBeGreaterThanOrEqual(before);
  });

  it('is not read while nobody sees it, and once when somebody does again', async () => {
    const workspace = await newWorkspace();
    const { owner, slug } = workspace;
    const api = client({ token: owner.token, workspace: slug });
    const script = await python(api, 'pass');
    await run(api, script);
    const page = await browser.page(baseUrl(), owner);
    await opened(page, slug);

    await hide(page, true);
    const asked = requestsOf(page);
    const { body } = await run(api, script);
    await runUntil(api, body.id, finished);
    const other = await run(api, script);
    const last = await run(api, script);
    for (const each of [other, last]) await runUntil(api, each.body.id, finished);
    // What is told of it later would be news.
    await allDispatched(workspace);
    expect(asked.paths).toEqual([]);
    await hide(page, false);
    await showsOf(page, last.body.id);
    expect(asked.of('/v1/runs')).toHaveLength(1);
  });
});

/** The list has all that it shows at first; the bars over it come last. */
async function opened(page: Page, slug: string): Promise<void> {
  await page.goto(`/w/${slug}/-/runs`);
  await page.locator(ROW).first().waitFor();
  await page.getByRole('group', { name: 'When they ended' }).waitFor();
}

/** What the page asks the service for from now on; the stream of events is none. */
function requestsOf(page: Page) {
  const paths: string[] = [];
  const cancelled: string[] = [];
  const pathOf = (request: Request): string | null => {
    const { pathname, search } = new URL(request.url());
    return pathname.startsWith('/v1/') && !pathname.endsWith('/stream') ? pathname + search : null;
  };
  page.on('request', (request) => {
    const path = pathOf(request);
    if (path !== null) paths.push(path);
  });
  page.on('requestfailed', (request) => {
    const path = pathOf(request);
    if (path !== null) cancelled.push(path);
  });
  const of = (start: string): string[] => paths.filter((path) => path.split('?')[0] === start);
  return { paths, cancelled, of, forget: () => void (paths.length = 0) };
}

/** How many rows the list has, those out of view included. */
async function rowsOf(page: Page): Promise<number> {
  const count = await page.getByRole('table', { name: 'Runs' }).getAttribute('aria-rowcount');
  return Number(count) - 1;
}

async function newestShown(page: Page): Promise<string> {
  return (await page.locator(ROW).first().getAttribute('href'))!.split('/').at(-1)!;
}

async function showsOf(page: Page, id: string): Promise<void> {
  await page.locator(`a[href$="/runs/${id}"]`).first().waitFor();
}

/** As when the person goes to another tab, or comes back. */
async function hide(page: Page, hidden: boolean): Promise<void> {
  const state = hidden ? 'hidden' : 'visible';
  await page.evaluate(`
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${hidden} });
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${state}' });
    void document.dispatchEvent(new Event('visibilitychange'))`);
}

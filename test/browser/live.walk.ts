import type { Page, Request } from 'playwright-core';
import { expect, it } from 'vitest';

import type { Client, Json } from '../../libs/testing/index.js';
import { describeWalk } from '../support/browser.js';
import { baseUrl, client, newWorkspace } from '../support/gatehouse.js';
import { finished, python, run, runUntil } from '../support/scripts.js';

const RUNS_A_SECOND = 20;
const SECONDS = 8;
const MOST_REQUESTS_A_SECOND = 2;
const OLDEST_MS = 1_500;
const ROW = 'a[href*="/runs/run_"]';

describeWalk('the list of runs of a busy workspace', (browser) => {
  it('shows the newest run in time with two requests a second, and reads only what it shows', async () => {
    const { owner, slug } = await newWorkspace();
    const api = client({ token: owner.token, workspace: slug });
    const script = await python(api, 'pass', { timeout: 60 });
    await run(api, script);
    const page = await browser.page(baseUrl(), owner);
    await page.goto(`/w/${slug}/-/runs`);
    await page.locator(ROW).first().waitFor();

    const asked = requestsOf(page);
    const seen: { at: number; id: string }[] = [];
    const runs: Promise<unknown>[] = [];
    const began = Date.now();
    while (Date.now() - began < SECONDS * 1_000) {
      runs.push(run(api, script));
      if (runs.length % 5 === 0) seen.push({ at: Date.now(), id: await newestShown(page) });
      const next = began + (runs.length * 1_000) / RUNS_A_SECOND;
      await new Promise((done) => setTimeout(done, Math.max(0, next - Date.now())));
    }
    const seconds = (Date.now() - began) / 1_000;
    expect(asked.cancelled).toEqual([]);
    expect(asked.of('/v1/scripts')).toEqual([]);
    expect(asked.paths.length).toBeLessThanOrEqual(Math.ceil(seconds * MOST_REQUESTS_A_SECOND) + 1);

    await Promise.all(runs);
    const all = await everyRun(api);
    expect(Math.max(...seen.map((glance) => staleness(glance, all)))).toBeLessThan(OLDEST_MS);
    await showsOf(page, all[0]!.id);

    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => page.locator(ROW).count()).toBeGreaterThan(60);
    const before = await page.locator(ROW).count();
    asked.forget();
    const { body } = await run(api, script);
    await showsOf(page, body.id);
    expect(asked.of('/v1/runs').filter((path) => path.includes('cursor='))).toEqual([]);
    expect(await page.locator(ROW).count()).toBeGreaterThanOrEqual(before);
  });

  it('is not read while nobody sees it, and once when somebody does again', async () => {
    const { owner, slug } = await newWorkspace();
    const api = client({ token: owner.token, workspace: slug });
    const script = await python(api, 'pass');
    await run(api, script);
    const page = await browser.page(baseUrl(), owner);
    await page.goto(`/w/${slug}/-/runs`);
    await page.locator(ROW).first().waitFor();

    await hide(page, true);
    const asked = requestsOf(page);
    const { body } = await run(api, script);
    await runUntil(api, body.id, finished);
    await run(api, script);
    const last = await run(api, script);
    expect(asked.paths).toEqual([]);
    await hide(page, false);
    await showsOf(page, last.body.id);
    expect(asked.of('/v1/runs')).toHaveLength(1);
  });
});

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

async function newestShown(page: Page): Promise<string> {
  return (await page.locator(ROW).first().getAttribute('href'))!.split('/').at(-1)!;
}

async function showsOf(page: Page, id: string): Promise<void> {
  await page.locator(`a[href$="/runs/${id}"]`).first().waitFor();
}

async function everyRun(api: Client): Promise<{ id: string; startedAt: string }[]> {
  const found: Json[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { body } = await api.get(`/v1/runs?limit=100${cursor && `&cursor=${cursor}`}`);
    found.push(...body.items);
    cursor = body.nextCursor;
  }
  return found as { id: string; startedAt: string }[];
}

/** For how long there had been a run that the page did not show yet. */
function staleness({ at, id }: { at: number; id: string }, all: { id: string; startedAt: string }[]): number {
  const unseen = all.filter((other) => other.id > id).map(({ startedAt }) => at - Date.parse(startedAt));
  return Math.max(0, ...unseen);
}

/** As when the person goes to another tab, or comes back. */
async function hide(page: Page, hidden: boolean): Promise<void> {
  const state = hidden ? 'hidden' : 'visible';
  await page.evaluate(`
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${hidden} });
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${state}' });
    void document.dispatchEvent(new Event('visibilitychange'))`);
}

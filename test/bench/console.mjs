// What somebody on a slow machine waits for in the console: the processor is slowed down four times.
import { chromium } from 'playwright-core';

import { BROWSER, BROWSER_ARGUMENTS } from '../support/chromium.mjs';
import { Table, median } from './support/measure.mjs';
import { expect, openWorkbench, publish } from './support/workbench.mjs';

const SLOWDOWN = 4;
const ROUNDS = 5;
const SCRIPTS = 25;
const LINES = 10_000;

const bench = await openWorkbench({ GATEHOUSE_RATE_LIMIT: '0' });
const browser = await chromium.launch({ executablePath: BROWSER, args: BROWSER_ARGUMENTS });
try {
  const run = await prepare(bench);
  const signIn = await rounds(() => drawn('/sign-in', { outside: true }));
  const list = await rounds(() => interactive(path('scripts'), SCRIPTS));
  const scroll = await rounds(() => scrolled(path(`runs/${run}`)));
  const table = new Table();
  const add = (what, values, most) =>
    table.add(what, `${Math.round(median(values))} ms`, `≤ ${most} ms`, median(values) <= most);
  add('the sign-in page is drawn', signIn, 1500);
  add(`a list of ${SCRIPTS} scripts can be used`, list, 2500);
  add(`the longest frame while ${LINES} lines scroll`, scroll, 50);
  table.print();
} finally {
  await browser.close();
  await bench.close();
}

async function prepare({ api }) {
  const body = `import sys\nfor i in range(${LINES}):\n    print(f"line {i}: \\x1b[32mall is well\\x1b[0m with item {i * 7 % 1000}", file=sys.stderr)\n`;
  await publish(api, 'chatty', 'main.py', body);
  for (let i = 1; i < SCRIPTS; i += 1) {
    const slug = `script-${i}`;
    expect(
      await api.post('/v1/scripts', { slug, name: `Script number ${i}`, description: 'Does what it says.' }),
      201,
    );
  }
  return expect(await api.post('/v1/scripts/chatty/runs', { inputs: {} }), 200).id;
}

function path(page) {
  return `/w/${bench.workspace.slug}/-/${page}`;
}

async function rounds(measure) {
  const values = [];
  for (let round = 0; round < ROUNDS; round += 1) values.push(await measure());
  return values;
}

/** A new browser's first visit, with nothing in its cache. */
async function visit(address, { outside = false } = {}) {
  const context = await browser.newContext({
    baseURL: bench.gatehouse.baseUrl,
    viewport: { width: 1280, height: 800 },
  });
  if (!outside) {
    const [name, value] = bench.workspace.owner.cookie.split('=');
    await context.addCookies([{ name, value, url: bench.gatehouse.baseUrl }]);
  }
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  await page.goto(address, { waitUntil: 'commit' });
  return { context, page };
}

async function drawn(address, options) {
  const { context, page } = await visit(address, options);
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  const at = await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => done(performance.now()))),
  );
  await context.close();
  return at;
}

/** Until every row is there and the main thread is free again. */
async function interactive(address, rows) {
  const { context, page } = await visit(address);
  await page.waitForFunction((count) => document.querySelectorAll('tbody tr').length >= count, rows);
  const at = await page.evaluate(
    () => new Promise((done) => requestIdleCallback(() => done(performance.now()))),
  );
  await context.close();
  return at;
}

async function scrolled(address) {
  const { context, page } = await visit(address);
  await page
    .getByText(`line ${LINES - 1}:`)
    .or(page.getByText('line 0:'))
    .first()
    .waitFor();
  await page.waitForTimeout(2_000);
  await page.evaluate(() => {
    window.longest = 0;
    let before = performance.now();
    const frame = (now) => {
      window.longest = Math.max(window.longest, now - before);
      before = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  const box = await page.getByText('line 9').first().boundingBox();
  await page.mouse.move(box.x + 20, box.y);
  for (let turn = 0; turn < 120; turn += 1) await page.mouse.wheel(0, turn % 8 === 7 ? -900 : 400);
  const longest = await page.evaluate(() => window.longest);
  await context.close();
  return longest;
}

// What somebody on a slow machine waits for in the console: the processor is slowed down four times.
import { get } from 'node:http';

import { chromium } from 'playwright-core';

import { BROWSER, BROWSER_ARGUMENTS } from '../support/chromium.mjs';
import { Table, median } from './support/measure.mjs';
import { expect, openWorkbench, publish } from './support/workbench.mjs';

const SLOWDOWN = 4;
const ROUNDS = 5;
const SCRIPTS = 25;
const LINES = 10_000;
/** What everything is compared with: a page of one button that nothing has to be loaded for. */
const EMPTY = '/an-empty-page';
const EMPTY_PAGE = '<!doctype html><title>Empty</title><button type="submit">Sign in</button>';

// In the page.
const listed = (rows) => document.querySelectorAll('tbody tr').length >= rows;
const edited = () => document.querySelector('.cm-content[contenteditable=true]');
const isForm = () => document.querySelector('button[type=submit]');

const bench = await openWorkbench({ GATEHOUSE_RATE_LIMIT: '0' });
const browser = await chromium.launch({ executablePath: BROWSER, args: BROWSER_ARGUMENTS });
try {
  const run = await prepare(bench);
  const [empty, signIn] = await interleavedRounds(
    () => drawn(EMPTY),
    () => drawn('/sign-in'),
  );
  const list = await rounds(() => interactive(path('scripts'), listed));
  const editor = await rounds(() => interactive(path('scripts/chatty/edit'), edited));
  const answers = await rounds(() => slowestAnswer(path('scripts')));
  const scroll = await rounds(() => scrolled(path(`runs/${run}`)));
  const form = await over(path('scripts/chatty'), isForm);
  const entry = await over('/sign-in', isForm);
  const table = new Table();
  const add = (what, values, most) => {
    const ms = median(values);
    const note = `${(ms / median(empty)).toFixed(1)} times an empty page`;
    table.add(what, `${Math.round(ms)} ms`, `≤ ${most} ms`, ms <= most, note);
  };
  add('the sign-in page is drawn', signIn, 1200);
  add(`a list of ${SCRIPTS} scripts can be used`, list, 2000);
  add('the editor can be used', editor, 3500);
  add('the slowest of a key, a click and a letter until the next frame', answers, 200);
  add(`the longest frame while ${LINES} lines scroll`, scroll, 50);
  table.add('requests of the form of a script', `${form.requests}`, '≤ 20', form.requests <= 20);
  const weights = await Promise.all(entry.addresses.map(weightOf));
  const kilobytes = weights.reduce((sum, weight) => sum + weight, 0) / 1000;
  table.add('the sign-in page over the wire', `${kilobytes.toFixed(0)} kB`, '≤ 90 kB', kilobytes <= 90);
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
  return (await interleavedRounds(measure))[0];
}

async function interleavedRounds(...measures) {
  const values = measures.map(() => []);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [index, measure] of measures.entries()) values[index].push(await measure());
  return values;
}

/** A new browser's first visit, with nothing in its cache. */
async function visit(address, { signedIn = true, watch = () => undefined } = {}) {
  const context = await browser.newContext({
    baseURL: bench.gatehouse.baseUrl,
    viewport: { width: 1280, height: 800 },
  });
  if (signedIn) {
    const [name, value] = bench.workspace.owner.cookie.split('=');
    await context.addCookies([{ name, value, url: bench.gatehouse.baseUrl }]);
  }
  const page = await context.newPage();
  await page.route(`**${EMPTY}`, (route) => route.fulfill({ contentType: 'text/html', body: EMPTY_PAGE }));
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  await watch(session);
  await page.goto(address, { waitUntil: 'commit' });
  return { context, page };
}

async function drawn(address) {
  const { context, page } = await visit(address, { signedIn: false });
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  const at = await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => done(performance.now()))),
  );
  await context.close();
  return at;
}

/** Until it is all there and the main thread is free again. */
async function interactive(address, isThere) {
  const { context, page } = await visit(address);
  await page.waitForFunction(isThere, SCRIPTS);
  const at = await page.evaluate(
    () => new Promise((done) => requestIdleCallback(() => done(performance.now()))),
  );
  await context.close();
  return at;
}

/** The palette by its keys, letters typed into it, and a click: the longest until what they changed was drawn. */
async function slowestAnswer(address) {
  const { context, page } = await visit(address);
  await page.waitForFunction(listed, SCRIPTS);
  // Browsers round it to 8 ms.
  await page.evaluate(() => {
    window.longest = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration);
    }).observe({ type: 'event', durationThreshold: 16 });
  });
  await page.keyboard.press('Control+k');
  await page.keyboard.type('script number 2', { delay: 50 });
  await page.keyboard.press('Escape');
  await page.getByRole('searchbox').first().click();
  await page.keyboard.type('number 1', { delay: 50 });
  await page.waitForTimeout(1_000);
  const longest = await page.evaluate(() => window.longest);
  await context.close();
  return longest;
}

/** How many requests a first visit makes until it is there, and what they ask for. */
async function over(address, isThere) {
  let requests = 0;
  const addresses = new Set();
  const watch = async (session) => {
    await session.send('Network.enable');
    session.on('Network.requestWillBeSent', ({ request }) => {
      requests += 1;
      addresses.add(request.url);
    });
  };
  const { context, page } = await visit(address, { signedIn: address !== '/sign-in', watch });
  await page.waitForFunction(isThere);
  // What is fetched ahead counts as well.
  await page.waitForTimeout(2_000);
  await context.close();
  return { requests, addresses: [...addresses] };
}

/** What comes from an address to a browser over TLS: without that, browsers say nothing of Brotli. */
function weightOf(address) {
  const headers = { accept: 'text/html,*/*', 'accept-encoding': 'br' };
  return new Promise((done, fail) => {
    get(address, { headers }, (response) => {
      let bytes = 0;
      response.on('data', (chunk) => (bytes += chunk.length)).on('end', () => done(bytes));
    }).on('error', fail);
  });
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

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

import { describeWalk, expectAccessible } from '../support/browser.js';
import { baseUrl, client, newWorkspace } from '../support/gatehouse.js';
import { python } from '../support/scripts.js';

/** Trying this on `(a+)+$` letter by letter would take longer than there is time. */
const ENDLESS = `${'a'.repeat(60)}!`;
const PATTERN = '^(a+)+$';
const RESPONSE_MS = 15_000;

/** Two ways at each of 40 steps. */
const DOUBLED = Object.fromEntries([
  ['d0', { type: 'string' }],
  ...Array.from({ length: 40 }, (_, step) => [
    `d${step + 1}`,
    {
      type: 'object',
      properties: { left: { $ref: `#/$defs/d${step}` }, right: { $ref: `#/$defs/d${step}` } },
    },
  ]),
]);

describe('a script that was made to hang whoever opens it', () => {
  describeWalk('in a browser', (browser) => {
    it('hangs no page by a pattern of its schema: not when it is opened, and not when it is sent', async () => {
      const { owner, slug } = await newWorkspace();
      const api = client({ token: owner.token, workspace: slug });
      const fits = (title: string) => ({ title, type: 'string', pattern: PATTERN });
      const script = await python(api, 'pass', {
        inputSchema: {
          type: 'object',
          properties: {
            plain: { type: 'string', pattern: PATTERN },
            either: {
              default: ENDLESS,
              oneOf: [fits('One'), { ...fits('Other'), minLength: 2 }, { type: 'string' }],
            },
            site: { type: 'string' },
          },
          if: { properties: { either: fits('Some') }, required: ['either'] },
          then: { properties: { more: { type: 'string' } } },
        },
      });
      const page = await browser.page(baseUrl(), owner);
      await page.goto(`/w/${slug}/-/scripts/${script.slug}`);
      const plain = page.getByLabel('plain');
      await plain.waitFor();
      await expectAnswers(page);

      await plain.fill(ENDLESS);
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await expectAnswers(page);
      await page
        .getByText(/must match/i)
        .first()
        .waitFor();
      await expectAnswers(page);
      await expectAccessible(page);

      await plain.fill('aaa');
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await page.waitForURL('**/runs/run_*');
    });

    it('hangs no page by a shape that doubles at each step, or by a list that begins too long', async () => {
      const { owner, slug } = await newWorkspace();
      const api = client({ token: owner.token, workspace: slug });
      const doubled = await python(api, 'pass', {
        inputSchema: { type: 'object', properties: { tree: { $ref: '#/$defs/d40' } }, $defs: DOUBLED },
      });
      const endless = await python(api, 'pass', {
        inputSchema: {
          type: 'object',
          properties: {
            list: { type: 'array', items: { type: 'string' }, minItems: 100_000_000 },
            self: { $ref: '#/$defs/self' },
          },
          $defs: { self: { type: 'object', properties: { self: { $ref: '#/$defs/self' } } } },
        },
      });
      const page = await browser.page(baseUrl(), owner);
      for (const script of [doubled, endless]) {
        await page.goto(`/w/${slug}/-/scripts/${script.slug}`);
        const field = page.getByLabel('Inputs');
        await field.waitFor();
        await expectAnswers(page);
        await expectAccessible(page);
      }
      await page.goto(`/w/${slug}/-/scripts/${doubled.slug}`);
      await page.getByLabel('Inputs').fill('{"tree": {}}');
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await page.waitForURL('**/runs/run_*');
    });

    it('hangs no page by its readme, which is shown as it was written where it takes too long', async () => {
      const { owner, slug } = await newWorkspace();
      const api = client({ token: owner.token, workspace: slug });
      const cells = (text: string): string => `${`|${text}`.repeat(200)}\n`;
      const page = await browser.page(baseUrl(), owner);
      for (const readme of [
        '~a'.repeat(45_000),
        '> '.repeat(45_000),
        `${cells('a')}${cells('-')}${'|x\n'.repeat(30_000)}`,
      ]) {
        const script = await python(api, 'pass', { readme });
        await page.goto(`/w/${slug}/-/scripts/${script.slug}`);
        await page.getByRole('button', { name: 'Run', exact: true }).waitFor();
        await expectAnswers(page);
        await page.getByText('too intricate to be shown as Markdown').waitFor();
        await expectAnswers(page);
      }
      await expectAccessible(page);
      const script = await python(api, 'pass', {
        readme: '# Title\n\n[a link](https://example.com) and `code`',
      });
      await page.goto(`/w/${slug}/-/scripts/${script.slug}`);
      await page.getByRole('heading', { level: 2, name: 'Title' }).waitFor();
      await page.getByRole('link', { name: 'a link' }).waitFor();
    });
  });
});

/** The page does what it is asked without delay. */
async function expectAnswers(page: Page): Promise<void> {
  const late = new Promise<string>((done) => setTimeout(done, RESPONSE_MS, 'hangs'));
  expect(await Promise.race([page.evaluate(() => 'answers'), late])).toBe('answers');
}

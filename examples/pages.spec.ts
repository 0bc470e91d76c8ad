import { readdirSync, readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

const PAGES = 'docs/extending';
const BLOCK = /^```\w+ title="(?<path>[^"#]+)#?(?<region>[^"]*)"\n(?<text>[\s\S]*?)^```$/gm;

const blocks = readdirSync(PAGES).flatMap((page) =>
  [...readFileSync(`${PAGES}/${page}`, 'utf8').matchAll(BLOCK)].map(({ groups }) => ({ page, ...groups! })),
) as { page: string; path: string; region: string; text: string }[];

/** The code of the pages is that of the examples, which their tests run. */
describe('the pages', () => {
  it.each(blocks)('$page shows $path $region as it is', ({ path, region, text }) => {
    expect(text).toBe(`${shown(path, region)}\n`);
  });
});

function shown(path: string, region: string): string {
  const [whole, ...regions] = readFileSync(path, 'utf8').split(/^\/\/ #region /m);
  if (region === '') return [whole, ...regions.map((text) => text.replace(/^.*\n/, ''))].join('').trimEnd();
  const found = regions.find((text) => text.startsWith(`${region}\n`));
  return (found ?? '').slice(region.length + 1).trimEnd();
}

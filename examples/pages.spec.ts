import { readdirSync, readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

const PAGES = 'docs/extending';
const BLOCK = /^```\w+ title="(?<path>[^"#]+)#?(?<region>[^"]*)"\n(?<text>[\s\S]*?)^```$/gm;

/** The code of the pages is that of the examples, which their tests run. */
describe.each(readdirSync(PAGES))('%s', (page) => {
  const blocks = [...readFileSync(`${PAGES}/${page}`, 'utf8').matchAll(BLOCK)].map(({ groups }) => groups!);

  it.skipIf(blocks.length === 0)('shows the examples as they are', () => {
    for (const { path, region, text } of blocks) expect(text).toBe(`${shown(path!, region!)}\n`);
  });
});

function shown(path: string, region: string): string {
  const [whole, ...regions] = readFileSync(path, 'utf8').split(/^\/\/ #region /m);
  if (region === '') return [whole, ...regions.map((text) => text.replace(/^.*\n/, ''))].join('').trimEnd();
  const found = regions.find((text) => text.startsWith(`${region}\n`));
  return (found ?? '').slice(region.length + 1).trimEnd();
}

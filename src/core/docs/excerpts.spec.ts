import { globSync, readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

const PAGES = globSync(['*.md', '{docs,src,libs,test}/**/*.md'], {
  exclude: (path) => /(^|\/)(node_modules|dist)(\/|$)/.test(path),
});
const EXCERPT = /^```\w+ excerpt="([^"]+)"\n([^]*?)^```$/gm;

const excerpts = PAGES.flatMap((page) =>
  [...readFileSync(page, 'utf8').matchAll(EXCERPT)].map(([, path, text]) => ({
    page,
    path: path!,
    text: text!,
  })),
);

describe('the pages', () => {
  it.each(excerpts)('$page shows code of $path as it is', ({ path, text }) => {
    expect(flushLeft(readFileSync(path, 'utf8'))).toContain(flushLeft(text));
  });
});

/** Pages show code without the indentation that it has in its file. */
function flushLeft(code: string): string {
  return code.replace(/^ +/gm, '');
}

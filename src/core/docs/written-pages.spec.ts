import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { anchorOf } from './render-guide.js';

const read = (path: string): string => readFileSync(path, 'utf8');
const below = (folder: string, ending: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(ending) && !/(^|\/)(node_modules|dist)\//.test(path))
    .map((path) => join(folder, path));

const PAGES = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md'],
  ...['docs', 'src', 'libs', 'test'].flatMap((folder) => below(folder, '.md')),
];

describe('the pages', () => {
  it('lead to files that exist, and to headings in them', () => {
    const broken = PAGES.flatMap((page) =>
      linksOf(page)
        .filter((link) => !leads(page, link))
        .map((link) => `${page}: ${link}`),
    );
    expect(broken).toEqual([]);
  });
});

describe('docs/guide/operations.md', () => {
  it('lists every setting but those of OpenTelemetry, and no other', () => {
    const all = [...read('.env.example').matchAll(/^([A-Z]\w+)=/gm)].map(([, name]) => name!);
    const table = read('docs/guide/operations.md')
      .match(/^\| `[A-Z].*$/gm)!
      .map((row) => row.split('|')[1]!);
    const listed = table.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name!));
    const own = (name: string): boolean => !name.startsWith('OTEL_');
    expect(listed.filter(own).sort()).toEqual(all.filter(own).sort());
  });
});

/** What stands in code is no link. */
function linksOf(page: string): string[] {
  const text = read(page)
    .replace(/^```[^]*?^```$/gm, '')
    .replace(/`[^`\n]*`/g, '');
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link]) => link!)
    .filter((link) => !/^https?:/.test(link));
}

function leads(page: string, link: string): boolean {
  const [path, anchor] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path!);
  if (!existsSync(target)) return false;
  if (anchor === undefined || !target.endsWith('.md')) return true;
  return [...read(target).matchAll(/^#+ (.+)$/gm)].some(([, heading]) => anchorOf(heading!) === anchor);
}

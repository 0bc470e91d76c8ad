import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { anchorOf } from './render-guide.js';

const read = (path: string): string => readFileSync(path, 'utf8');
const below = (folder: string, ending: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(ending) && !/(^|\/)(node_modules|dist)\//.test(path))
    .map((path) => join(folder, path));

/** Names of others, which look like ours. */
const OUTSIDE = ['PostgreSQL', 'HttpException'];

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

  it('show code that is there as it is', () => {
    const excerpts = PAGES.flatMap((page) =>
      [...read(page).matchAll(/^```\w+ excerpt="([^"]+)"\n([^]*?)^```$/gm)].map(([, path, text]) => ({
        page,
        path: path!,
        text: text!,
      })),
    );
    expect(excerpts.length).toBeGreaterThan(0);
    for (const { page, path, text } of excerpts) {
      expect(flushLeft(read(path)), `${path} in ${page}`).toContain(flushLeft(text));
    }
  });

  it('name classes and functions that there are', () => {
    const declared = new Set([
      ...OUTSIDE,
      ...['src', 'libs', 'test'].flatMap((folder) =>
        below(folder, '.ts').flatMap((path) =>
          [...read(path).matchAll(/(?:class|function|const|interface|type) ([A-Z]\w+)/g)].map(
            ([, name]) => name!,
          ),
        ),
      ),
    ]);
    const named = ['architecture.md', 'patterns.md', 'how-to/7-a-test.md', 'how-to/8-debug-a-run.md'].flatMap(
      (page) =>
        [...read(join('docs', page)).matchAll(/`@?([A-Z][a-z]+[A-Z]\w+)\b|as ([A-Z][a-z]+[A-Z]\w+)/g)].map(
          ([, code, participant]) => `${page}: ${code ?? participant}`,
        ),
    );
    expect(named.filter((each) => !declared.has(each.split(': ')[1]!))).toEqual([]);
  });
});

describe('README.md', () => {
  it('is short, and leads to every page of the guide but the one for apps', () => {
    const readme = read('README.md');
    expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(150);
    const pages = readdirSync('docs/guide').filter((name) => name !== 'connect-an-agent.md');
    for (const name of pages) expect(readme).toContain(`(docs/guide/${name})`);
  });

  it.each(['README.md', 'CONTRIBUTING.md', 'docs/guide/operations.md'])(
    'says in %s on which Node it runs',
    (page) => {
      const floor = (JSON.parse(read('package.json')) as { engines: { node: string } }).engines.node.replace(
        '>=',
        '',
      );
      expect(read(page)).toMatch(new RegExp(`runs on Node ${floor}\\b`));
    },
  );
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

describe('docs/architecture.md', () => {
  it('shows who consumes events, and leads to each', () => {
    const part = read('docs/architecture.md').split('## An event')[1]!.split('\n## ')[0]!;
    const drawn = [...part.matchAll(/dispatcher -.*-> ([\w-]+)\[/g)].map(([, name]) => name!);
    const registered = below('src', '.ts').flatMap((path) =>
      [...read(path).matchAll(/^ +this\.consumers\.register\('([\w-]+)'/gm)].map(([, name]) => ({
        name,
        path,
      })),
    );
    expect(drawn.sort()).toEqual(registered.map(({ name }) => name).sort());
    for (const { name, path } of registered) expect(part).toContain(`[\`${name}\`](../${path})`);
  });

  it('says of each folder what is in it', () => {
    const map = read('docs/architecture.md').split('## Where things live')[1]!;
    const folders = ['src', 'libs', 'test'].flatMap((parent) =>
      readdirSync(parent, { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && !['node_modules', 'dist', 'support'].includes(entry.name))
        .map(({ name }) => `${parent}/${name}`),
    );
    expect([...folders, 'examples', 'docs/guide'].filter((folder) => !map.includes(`\`${folder}\``))).toEqual(
      [],
    );
  });
});

describe('docs/how-to', () => {
  it('has a migration that comes after all there are', () => {
    const page = read('docs/how-to/1-an-entity.md');
    const [, own, number] = /title="(src\/migrations\/(\d+)-[^"]+)"/.exec(page)!;
    const [, moment] = /class [A-Za-z]+(\d{13})/.exec(page)!;
    for (const path of below('src/migrations', '.ts').filter(
      (name) => /\/\d{4}-/.test(name) && name !== own,
    )) {
      expect(Number(/\/(\d{4})-/.exec(path)![1]), path).toBeLessThan(Number(number));
      for (const [, other] of read(path).matchAll(/class [A-Za-z]+(\d{13})/g)) {
        expect(Number(other), path).toBeLessThan(Number(moment));
      }
    }
  });

  it('says of each kind of test where it is run', () => {
    const page = read('docs/how-to/7-a-test.md');
    const endings = ['e2e', 'security', 'walk', 'faults', 'conformance', 'container', 'chart'];
    for (const ending of endings) expect(page).toMatch(new RegExp(`^\\|.*\\*\\.${ending}\\.ts\``, 'm'));
  });
});

describe('docs/patterns.md', () => {
  it('has for each problem the mechanism, the mistake and an example', () => {
    const problems = read('docs/patterns.md').split(/^### /m).slice(1);
    expect(problems.length).toBeGreaterThan(10);
    for (const problem of problems) {
      expect(problem).toMatch(
        /\*\*Mechanism\.\*\* [^]+\*\*Common mistake\.\*\* [^]+\*\*Example\.\*\* \[[^]+\]\(\.\.\/src\//,
      );
    }
  });
});

/** Pages show code without the indentation that it has in its file. */
function flushLeft(code: string): string {
  return code.replace(/^ +/gm, '');
}

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

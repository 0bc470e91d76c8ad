import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import type { Json } from '../testing/index.js';

const read = (path: string): string => readFileSync(path, 'utf8');
const manifest = (folder: string): Json => JSON.parse(read(join(folder, 'package.json'))) as Json;
const { version, license, workspaces } = manifest('.');
/** As in `gatehouse-0.2.0.tgz`, `gatehouse:0.2.0`, `gatehouse_client-0.2.0-…` and `"@gatehouse/extension": "^0.2.0"`. */
const OF_OURS = /\bgatehouse(?:_client)?(?:[-:]|\/extension": "\^)(\d+\.\d+\.\d+)/g;
const NEVER_RELEASED = '0.1.0';

describe('the version and the licence of package.json', () => {
  it.each(workspaces as string[])('are those of %s, whatever it needs of the others', (folder) => {
    const { dependencies, devDependencies, peerDependencies, ...own } = manifest(folder);
    expect(own).toMatchObject({ version, license });
    for (const [name, wanted] of Object.entries({ ...dependencies, ...devDependencies, ...peerDependencies }))
      if (name.startsWith('@gatehouse/')) expect([name, wanted]).toEqual([name, version]);
  });

  it('are those of the chart and of the image', () => {
    expect(parse(read(join('deploy', 'chart', 'Chart.yaml')))).toMatchObject({
      version,
      appVersion: version,
      annotations: { 'artifacthub.io/license': license },
    });
    const labels = Object.fromEntries(
      [...read('Dockerfile').matchAll(/image\.(\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
    );
    expect(labels).toMatchObject({ version, licenses: license });
  });

  it('are what the README and the changelog say', () => {
    expect(read('README.md')).toContain(`\`${license}\``);
    expect(read('CHANGELOG.md')).toContain(`\n## ${version}\n`);
    expect(read(join('libs', 'extension', 'CHANGELOG.md'))).toContain(`\n## ${version}\n`);
  });

  it('are in every name of a package that a page has', () => {
    const named = globSync('docs/**/*.md').flatMap((page) =>
      [...read(page).matchAll(OF_OURS)].map(([, found]) => [page, found]),
    );
    expect(named.length).toBeGreaterThan(4);
    for (const [page, found] of named) expect([page, found]).toEqual([page, version]);
  });

  it('come after releases whose data is kept, to be upgraded from each', () => {
    const releases = [...read('CHANGELOG.md').matchAll(/^## (\d\S+)$/gm)].map(([, release]) => release!);
    const before = releases.filter((release) => release !== version && release !== NEVER_RELEASED);
    expect(before.filter((release) => !existsSync(`test/upgrades/${release}.json.gz`))).toEqual([]);
  });
});

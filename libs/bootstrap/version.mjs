import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Obstacle, root, run } from './project.mjs';

/**
 * Writes the version and the licence of package.json into everything that is made of it: the other manifests and what they ask
 * of each other, the lock file, the chart, the image's labels, the README, and the names of packages in the documentation.
 * With `--check`, it only names the files that have something else.
 */
const check = process.argv.includes('--check');

/** As in `gatehouse-0.2.0.tgz`, `gatehouse:0.2.0`, `gatehouse_client-0.2.0-…` and `"@gatehouse/extension": "^0.2.0"`. */
const IN_PAGES = /(\bgatehouse(?:_client)?(?:[-:]|\/extension": "\^))\d+\.\d+\.\d+/g;

await run(() => {
  process.chdir(root);
  const { version, license, workspaces } = JSON.parse(readFileSync('package.json', 'utf8'));

  /** @param {object} manifest of one of our packages, as its package.json or the lock file has it */
  const setManifest = (manifest) => {
    Object.assign(manifest, { version, license });
    for (const kind of ['dependencies', 'devDependencies', 'peerDependencies'])
      for (const name of Object.keys(manifest[kind] ?? {}))
        if (name.startsWith('@gatehouse/')) manifest[kind][name] = version;
  };
  const json = (change) => (text) => {
    const content = JSON.parse(text);
    change(content);
    return `${JSON.stringify(content, null, 2)}\n`;
  };
  const lock = (content) => {
    content.version = version;
    for (const folder of ['', ...workspaces]) setManifest(content.packages[folder]);
  };
  const chart = (text) =>
    text
      .replace(/^(version|appVersion): .*$/gm, `$1: ${version}`)
      .replace(/^( *artifacthub\.io\/license): .*$/m, `$1: ${license}`);
  const labels = (text) =>
    text
      .replace(/(image\.version=)[^\s\\]+/, `$1${version}`)
      .replace(/(image\.licenses=)[^\s\\]+/, `$1${license}`);

  const changes = [
    ...workspaces.map((folder) => [join(folder, 'package.json'), json(setManifest)]),
    ['package-lock.json', json(lock)],
    [join('deploy', 'chart', 'Chart.yaml'), chart],
    ['Dockerfile', labels],
    ['README.md', (text) => text.replace(/^(## Licen[cs]e\n\n)`[^`]+`/m, `$1\`${license}\``)],
    ...globSync('docs/**/*.md').map((page) => [page, (text) => text.replace(IN_PAGES, `$1${version}`)]),
  ];
  const stale = changes.filter(([path, change]) => {
    const text = readFileSync(path, 'utf8');
    const wanted = change(text);
    if (!check && wanted !== text) writeFileSync(path, wanted);
    return wanted !== text;
  });
  if (check && stale.length > 0)
    throw new Obstacle(
      `Not the version or the licence of package.json: ${stale.map(([path]) => path).join(', ')}`,
    );
});

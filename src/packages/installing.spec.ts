import { globSync, readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

const FROM_A_SERVICE = /--@gatehouse:registry=https:\/\/[^/\s]+\/packages\/npm/;
/** With these npm reads no .npmrc of a project. */
const WITHOUT_A_PROJECT =
  /npx|npm (?:exec|x)\b|npm i(?:nstall)? .*(?:--global|-g\b)|npm i(?:nstall)? (?:-g\b|--global)/;

const lines = globSync('**/*.md', {
  exclude: (path) => /(^|\/)(node_modules|dist|\.git)$/.test(path),
}).flatMap((page) =>
  readFileSync(page, 'utf8')
    .split('\n')
    .map((line) => ({ page, line })),
);

it('is shown with the address of a service wherever npm would ask the public registry for a name that anybody may take', () => {
  const shown = lines.filter(({ line }) => line.includes('@gatehouse/') && WITHOUT_A_PROJECT.test(line));
  expect(shown.length).toBeGreaterThan(2);
  expect(shown.filter(({ line }) => !FROM_A_SERVICE.test(line))).toEqual([]);
});

it('is shown without a public index for pip', () => {
  const shown = lines.filter(({ line }) => /pip install .*gatehouse/.test(line));
  expect(shown.length).toBeGreaterThan(1);
  expect(shown.filter(({ line }) => !/--no-index --find-links https:/.test(line))).toEqual([]);
});

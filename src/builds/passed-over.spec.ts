import { describe, expect, it } from 'vitest';

import type { BuildRecipe } from './build-recipe.js';
import { passedOver } from './passed-over.js';

const NPM: BuildRecipe = { command: null, python: null, npm: true, files: null };
const namesIn = (paths: string[], recipe: BuildRecipe | null = null): string[] =>
  passedOver(
    { files: paths.map((path) => ({ path, kind: 'file', size: 1, mode: 0o644 })) as never },
    recipe,
  ).map((line) => line.split(' ')[0]!);

describe('what is known and not used', () => {
  it.each<[string[], string[]]>([
    [['main.py'], []],
    [
      ['main.py', 'Pipfile', 'Pipfile.lock'],
      ['Pipfile', 'Pipfile.lock'],
    ],
    [
      ['setup.py', 'environment.yml'],
      ['environment.yml', 'setup.py'],
    ],
    [['pyproject.toml', 'setup.py', 'uv.lock'], ['uv.lock']],
    [['pyproject.toml', 'poetry.lock'], ['poetry.lock']],
    [['requirements.txt', 'uv.lock', 'Pipfile'], []],
    [['lib/Pipfile', 'lib/yarn.lock', 'package.json'], []],
    [['yarn.lock'], []],
    [['package.json', 'yarn.lock'], ['yarn.lock']],
    [
      ['package.json', 'pnpm-lock.yaml', 'bun.lockb'],
      ['pnpm-lock.yaml', 'bun.lockb'],
    ],
    [['package.json', 'yarn.lock', 'package-lock.json'], []],
  ])('of %j: %j', (paths, names) => {
    expect(namesIn(paths)).toEqual(names);
  });

  it('is named beside an installation, and not beside a command of its own', () => {
    expect(namesIn(['package.json', 'yarn.lock'], NPM)).toEqual(['yarn.lock']);
    expect(namesIn(['package.json', 'yarn.lock'], { ...NPM, command: 'yarn' })).toEqual([]);
  });

  it('comes with what to do', () => {
    const files = [{ path: 'Pipfile' }] as never;
    expect(passedOver({ files }, null)).toEqual([
      'Pipfile is not used. Add what this writes: pipenv requirements > requirements.txt. Or install by a build command of the version.',
    ]);
  });
});

import type { InspectedArchive } from '../../libs/archive/index.js';
import type { BuildRecipe } from './build-recipe.js';

/** Files at the top that say what is to be installed, and that nothing is installed by. */
const PYTHON_LISTS: Readonly<Record<string, string>> = {
  Pipfile: 'pipenv requirements > requirements.txt',
  'Pipfile.lock': 'pipenv requirements > requirements.txt',
  'environment.yml': 'pip list --format freeze > requirements.txt',
  'setup.py': 'echo . > requirements.txt',
  'setup.cfg': 'echo . > requirements.txt',
};
const PYTHON_LOCKS: Readonly<Record<string, string>> = {
  'uv.lock': 'uv export --no-dev -o requirements.txt',
  'poetry.lock': 'poetry export -o requirements.txt',
  'pdm.lock': 'pdm export --prod -o requirements.txt',
};
const NODE_LOCKS = ['yarn.lock', 'pnpm-lock.yaml', 'bun.lock', 'bun.lockb'];
const NPM_LOCKS = ['package-lock.json', 'npm-shrinkwrap.json'];

/**
 * What the log of a build says of files that are known and not used, a line each.
 *
 * @param recipe null: nothing is installed
 */
export function passedOver({ files }: Pick<InspectedArchive, 'files'>, recipe: BuildRecipe | null): string[] {
  if (recipe?.command) return [];
  const top = new Set(files.map(({ path }) => path));
  const has = (name: string): boolean => top.has(name);
  const lines: string[] = [];
  // One of these lists is what somebody chose.
  if (!has('requirements.txt')) {
    const known = has('pyproject.toml') ? PYTHON_LOCKS : { ...PYTHON_LISTS, ...PYTHON_LOCKS };
    for (const [name, command] of Object.entries(known)) if (has(name)) lines.push(line(name, command));
  }
  if (has('package.json') && !NPM_LOCKS.some(has)) {
    for (const name of NODE_LOCKS) if (has(name)) lines.push(line(name, 'npm install --package-lock-only'));
  }
  return lines;
}

function line(name: string, command: string): string {
  return `${name} is not used. Add what this writes: ${command}. Or install by a build command of the version.`;
}

import { join } from 'node:path';

import { listFiles } from './freshness.mjs';
import { root } from './project.mjs';

/** Pages that the service shows. */
export const GUIDE = join('docs', 'guide');

/** In `libs`: what is built by itself, tests, and what is made of sources, such as packed types. */
const NOT_OF_THE_PROGRAM = /^libs\/((bootstrap|cli|client|console|extension|python)|[^/]+\/(dist|test))\//;

/** Whether a file is read, not imported. */
export function isAsset(path) {
  return path.split('/').slice(0, -1).includes('assets');
}

/** Whether the program is made of a file in `src`, `libs` or the guide. */
export function isProgramSource(path) {
  if (NOT_OF_THE_PROGRAM.test(path)) return false;
  return isAsset(path) || !/\.((spec|fixture)\.ts|c|h|mjs)$/.test(path);
}

/** Lists the TypeScript of the program, by path in the project: the same files that `tsconfig.build.json` names. */
export function listProgramModules() {
  return listFiles(root, ['src', 'libs']).filter(
    (path) => isProgramSource(path) && !isAsset(path) && /(?<!\.d)\.ts$/.test(path),
  );
}

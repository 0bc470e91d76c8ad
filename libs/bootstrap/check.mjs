import { join } from 'node:path';

import { ensureNode, runNode } from './node.mjs';
import { ensurePackages } from './packages.mjs';
import { checkPlatform, root, run } from './project.mjs';

const CHECKS = [
  ['lint', join('node_modules', 'eslint', 'bin', 'eslint.js'), ['.', '--max-warnings=0']],
  [
    'formatting',
    join('node_modules', 'prettier', 'bin', 'prettier.cjs'),
    ['--check', '.', '--log-level=warn'],
  ],
  ['types', join('node_modules', 'typescript', 'bin', 'tsc'), ['--noEmit', '-p', 'tsconfig.json']],
  [
    'types of the client',
    join('node_modules', 'typescript', 'bin', 'tsc'),
    ['--noEmit', '-p', 'libs/client'],
  ],
  [
    'types of the client’s tests',
    join('node_modules', 'typescript', 'bin', 'tsc'),
    ['--noEmit', '-p', 'test/client'],
  ],
  [
    'types of the command line',
    join('node_modules', 'typescript', 'bin', 'tsc'),
    ['--noEmit', '-p', 'libs/cli'],
  ],
  [
    'types of the console',
    join('node_modules', 'typescript', 'bin', 'tsc'),
    ['--noEmit', '-p', 'libs/console'],
  ],
  ['sizes of the console', join('libs', 'bootstrap', 'console-sizes.mjs'), []],
  [
    'imports',
    join('node_modules', 'dependency-cruiser', 'bin', 'dependency-cruiser.mjs'),
    ['--config', '.dependency-cruiser.mjs', 'src', 'libs', 'test'],
  ],
  ['statements in SQL', join('libs', 'bootstrap', 'statements.mjs'), []],
  ['tables', join('libs', 'bootstrap', 'schema', 'check.mjs'), []],
  ['the API of extensions', join('libs', 'bootstrap', 'extension-api.mjs'), ['--check']],
  ['the client', join('libs', 'bootstrap', 'client.mjs'), ['--check']],
  ['the page of attacks', join('libs', 'bootstrap', 'attacks.mjs'), ['--check']],
];

/** `npm run check`: every check in any case, so that one run shows everything. */
await run(async () => {
  process.chdir(root);
  checkPlatform();
  await Promise.all([ensurePackages({ all: true }), ensureNode()]);
  const failed = [];
  for (const [name, script, args] of CHECKS) {
    const { code } = await runNode(script, args);
    if (code !== 0) failed.push(name);
  }
  console.log(
    failed.length === 0
      ? `in order: ${CHECKS.map(([name]) => name).join(', ')}`
      : `not in order: ${failed.join(', ')}`,
  );
  process.exitCode = failed.length === 0 ? 0 : 1;
});

import { join } from 'node:path';

import { runNode } from './child.mjs';
import { ensurePackages } from './packages.mjs';
import { checkPlatform, root, run } from './project.mjs';

const CHECKS = [
  ['lint', join('eslint', 'bin', 'eslint.js'), ['.', '--max-warnings=0']],
  ['formatting', join('prettier', 'bin', 'prettier.cjs'), ['--check', '.', '--log-level=warn']],
  ['types', join('typescript', 'bin', 'tsc'), ['--noEmit', '-p', 'tsconfig.json']],
];

/** `npm run check`: lint, formatting and types, each in any case, so that one run shows everything. */
await run(async () => {
  process.chdir(root);
  checkPlatform();
  await ensurePackages();
  const failed = [];
  for (const [name, script, args] of CHECKS) {
    const { code } = await runNode(join('node_modules', script), args);
    if (code !== 0) failed.push(name);
  }
  console.log(
    failed.length === 0 ? 'lint, formatting and types are in order' : `not in order: ${failed.join(', ')}`,
  );
  process.exitCode = failed.length === 0 ? 0 : 1;
});

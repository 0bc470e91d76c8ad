import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { runProgram } from './child.mjs';
import { Obstacle, root, run } from './project.mjs';

const PYTHON = join('libs', 'python');
const VENV = join('dist', '.python');

/** `npm run python-client [DIRECTORY]`: writes what of the Python client is made of the interface's description, or into a directory. */
await run(async () => {
  process.chdir(root);
  const [directory = join(PYTHON, 'gatehouse_client')] = process.argv.slice(2);
  const python = join(VENV, 'bin', 'python');
  if (!existsSync(python)) await succeed('python3', ['-m', 'venv', VENV]);
  const requirements = join(PYTHON, 'requirements.txt');
  await succeed(python, [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    '-r',
    requirements,
  ]);
  await succeed(python, [join(PYTHON, 'generate.py'), directory]);
});

async function succeed(program, args) {
  const { code } = await runProgram(program, args);
  if (code !== 0) throw new Obstacle(`\`${program} ${args.join(' ')}\` failed (exit ${code}); see above.`);
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { runProgram } from './child.mjs';
import { prepare } from './prepare.mjs';
import { Obstacle, root, run } from './project.mjs';

/** What the service is tried on besides the Node that the tests run on; npm's packages of the `node` package bring them. */
const VERSIONS = ['24.9.0', '26.10.0'];

/** `npm run smoke`: the built service starts, runs scripts and stops, on each of these. */
await run(async () => {
  process.chdir(root);
  await prepare();
  for (const version of VERSIONS) {
    const directory = mkdtempSync(join(tmpdir(), 'gatehouse-node-'));
    try {
      const node = await install(version, directory);
      const { code } = await runProgram(node, [join('libs', 'bootstrap', 'smoke', 'walk.mjs')]);
      if (code !== 0) throw new Obstacle(`Gatehouse does not work on Node ${version}; see above.`);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  }
});

async function install(version, directory) {
  const name = `node-linux-${process.arch}`;
  const { code, output } = await runProgram(
    'npm',
    [
      'install',
      '--prefix',
      directory,
      '--no-save',
      '--no-audit',
      '--no-fund',
      '--ignore-scripts',
      `${name}@${version}`,
    ],
    { quiet: true },
  );
  if (code !== 0) throw new Obstacle(`Node ${version} could not be installed:\n${output}`);
  return join(directory, 'node_modules', name, 'bin', 'node');
}

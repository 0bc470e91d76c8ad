import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { ensureNode, isNewEnough, nodePath } from './node.mjs';
import { ensurePackages } from './packages.mjs';
import { checkPlatform, run } from './project.mjs';

/** They import nothing but the program. */
const OF_THE_PROGRAM = ['admin', 'demo'];

/** `node libs/bootstrap/run.mjs NAME …`: the command `NAME.mjs` beside this file, once there is what it imports, and a Node for it. */
const [name, ...args] = process.argv.slice(2);
const command = join(dirname(fileURLToPath(import.meta.url)), `${name}.mjs`);

await run(async () => {
  checkPlatform();
  await Promise.all([ensurePackages({ all: !OF_THE_PROGRAM.includes(name) }), ensureNode()]);
  if (!isNewEnough) return runByOther();
  process.argv.splice(1, 2, command);
  await import(pathToFileURL(command).href);
});

async function runByOther() {
  const child = spawn(nodePath, [command, ...args], { stdio: 'inherit' });
  // The terminal's Ctrl-C comes to it as well; what is sent to us alone does not.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill());
  const [code, signal] = await once(child, 'exit');
  process.exitCode = code ?? 128 + constants.signals[signal];
}

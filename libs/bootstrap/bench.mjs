import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { prepare } from './prepare.mjs';
import { Obstacle, root, run } from './project.mjs';

const directory = join(root, 'test', 'bench');

/** `npm run bench -- NAME …`: prepares, then runs `test/bench/NAME.mjs` with the remaining arguments. */
await run(async () => {
  process.chdir(root);
  const [name, ...args] = process.argv.slice(2);
  const path = join(directory, `${name}.mjs`);
  if (!/^[\w-]+$/.test(name ?? '') || !existsSync(path)) {
    const names = existsSync(directory) ? readdirSync(directory).filter((file) => file.endsWith('.mjs')) : [];
    const list = names.map((file) => file.slice(0, -'.mjs'.length)).join(', ') || 'none yet';
    throw new Obstacle(`Usage: npm run bench -- NAME. Benchmarks: ${list}.`);
  }
  await prepare({ all: true });
  process.argv = [process.argv[0], path, ...args];
  await import(pathToFileURL(path).href);
});

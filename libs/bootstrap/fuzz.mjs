import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { prepare } from './prepare.mjs';
import { root, run } from './project.mjs';

/** `npm run fuzz [-- --seconds N]`: prepares, then runs `test/fuzz/fuzz.mjs`. */
await run(async () => {
  process.chdir(root);
  await prepare({ all: true });
  await import(pathToFileURL(join(root, 'test', 'fuzz', 'fuzz.mjs')).href);
});

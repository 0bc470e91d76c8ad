import { join } from 'node:path';

import { prepare } from './prepare.mjs';
import { root, run } from './project.mjs';

/** `npm run screenshots -- [PAGE]`: pictures of every page of the console, in `screenshots/`. */
await run(async () => {
  process.chdir(root);
  await prepare({ all: true });
  const { takeScreenshots } = await import('../../test/demo/screenshots.mjs');
  await takeScreenshots(join(root, 'screenshots'), { only: process.argv[2] });
});

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { prepare } from './prepare.mjs';
import { loadEnvironmentFile, root, run } from './project.mjs';
import { mergeSignalsFromNpm } from './signals.mjs';

/**
 * Prepares what is missing and then becomes the program `dist/src/<entry>.js`: in this process, so that no second Node
 * stays in memory and signals need no passing on.
 */
export function launch(entry) {
  return run(async () => {
    process.chdir(root);
    await prepare();
    loadEnvironmentFile();
    if (process.env.npm_lifecycle_event) mergeSignalsFromNpm();
    const program = join(root, 'dist', 'src', `${entry}.js`);
    process.argv[1] = program;
    await import(pathToFileURL(program).href);
  });
}

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { keepRunning } from './keep.mjs';
import { prepare } from './prepare.mjs';
import { built, loadEnvironmentFile, root, run } from './project.mjs';
import { mergeSignalsFromNpm } from './signals.mjs';

const programOf = (entry) => join(root, 'dist', 'src', `${entry}.js`);

/** Prepares what is missing and then becomes the program `dist/src/<entry>.js`, in this process. */
export function launch(entry) {
  return prepared(async () => {
    const program = programOf(entry);
    process.argv[1] = program;
    await import(pathToFileURL(program).href);
  });
}

/** The same for the service, in a process of its own: it is started again should something end it. */
export function launchForever(entry) {
  return prepared(
    async () => {
      const { logFormat } = await built('src/core/config/log-format.js');
      if (logFormat(process.env) === 'json')
        (await built('src/core/logging/console-lines.js')).printJsonLines();
      process.exitCode = await keepRunning(programOf(entry));
    },
    { consoleLater: true },
  );
}

function prepared(work, options) {
  return run(async () => {
    process.chdir(root);
    await prepare(options);
    loadEnvironmentFile();
    if (process.env.npm_lifecycle_event) mergeSignalsFromNpm();
    await work();
  });
}

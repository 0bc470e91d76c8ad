import { ensureProgram } from './build.mjs';
import { ensureConsole } from './console.mjs';
import { ensurePackages, keepProductionPackages } from './packages.mjs';
import { root, run } from './project.mjs';

/**
 * For the Dockerfile, whose packages are installed already: the program and the console, with the packages that they
 * need when they run. What the sandbox is made of comes from other stages.
 */
await run(async () => {
  process.chdir(root);
  await ensurePackages();
  await Promise.all([ensureProgram(), ensureConsole()]);
  await keepProductionPackages();
});

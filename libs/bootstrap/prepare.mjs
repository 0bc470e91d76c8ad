import { ensureLauncher, ensureProgram, launcherIsStale } from './build.mjs';
import { consoleIsMissing, ensureConsole } from './console.mjs';
import { ensureNode } from './node.mjs';
import { ensurePackages } from './packages.mjs';
import { checkPlatform, run } from './project.mjs';
import { ensureSystemTools } from './system-tools.mjs';
import { together } from './together.mjs';

/**
 * Everything that a fresh clone lacks: packages, the sandbox's tools, the build. Does only what is missing or stale;
 * where nothing is, it takes some ten milliseconds.
 * @param {{ all?: boolean, consoleLater?: boolean }} [options] all: the packages for development as well; consoleLater: where there
 * is none, the console is made while the caller goes on
 * @throws {import('./project.mjs').Obstacle} what the user must see to
 */
export async function prepare({ all, consoleLater = false } = {}) {
  await prepareTools({ all });
  const later = consoleLater && consoleIsMissing();
  await together([ensureProgram(), ...(later ? [] : [ensureConsole()])]);
  if (later) void run(ensureConsole);
}

/** The same without the console: for what the client is made by, which the console is built of. */
export async function prepareProgram() {
  await prepareTools({ all: true });
  await ensureProgram();
}

async function prepareTools({ all }) {
  checkPlatform();
  // Only the compiler of C waits for these, and it needs no npm package.
  const systemTools = ensureSystemTools({ building: launcherIsStale() });
  const node = ensureNode();
  const launcher = Promise.all([systemTools, node]).then(ensureLauncher);
  await together([systemTools, node, launcher, ensurePackages({ all })]);
}

if (process.argv[1] === import.meta.filename) await run(prepare);

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The directory that holds package.json. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

/** A module of the built program, by its path: `src/start.js`. */
export const built = (path) => import(pathToFileURL(join(root, 'dist', path)).href);

/** Something the user must see to. Shown without a stack trace. */
export class Obstacle extends Error {}

/** @throws {Obstacle} if this system cannot run Gatehouse. */
export function checkPlatform() {
  if (process.platform !== 'linux') {
    throw new Obstacle(
      `Gatehouse runs on Linux, whose namespaces the sandbox is made of; this is ${process.platform}. Use a virtual machine or a container.`,
    );
  }
}

/** Reads `.env`, if there is one. What is set in the environment already stays. */
export function loadEnvironmentFile() {
  const path = join(root, '.env');
  if (existsSync(path)) process.loadEnvFile(path);
}

/** Runs `main` as a program: an obstacle becomes one message and exit code 1. */
export async function run(main) {
  try {
    await main();
  } catch (error) {
    if (!(error instanceof Obstacle)) throw error;
    console.error(`\n${error.message}\n`);
    process.exitCode = 1;
  }
}

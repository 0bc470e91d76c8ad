import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The program built by `build-launcher.mjs`: beside this module, else in `dist/libs/sandbox`. */
export function defaultLauncherPath(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const beside = join(here, 'launcher');
  return existsSync(beside) ? beside : join(here, '../../dist/libs/sandbox/launcher');
}

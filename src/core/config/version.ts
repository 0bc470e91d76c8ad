import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Of this Gatehouse, as its package says. */
export const VERSION = (
  JSON.parse(readFileSync(manifestAbove(import.meta.dirname), 'utf8')) as { version: string }
).version;

/** The compiled program lies one directory deeper than its sources. */
function manifestAbove(directory: string): string {
  const path = join(directory, 'package.json');
  return existsSync(path) ? path : manifestAbove(dirname(directory));
}

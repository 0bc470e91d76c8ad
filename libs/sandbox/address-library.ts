import { chmodSync, copyFileSync, existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Path inside the box. */
const LIBRARY = '/runtime/addresses.so';

/** Puts into the root of every box the library that tells programs their addresses, see `addresses/addresses.c`. */
export function writeAddressLibrary(box: string, launcherPath: string): void {
  const source = join(dirname(launcherPath), 'addresses.so');
  if (!existsSync(source)) return;
  const preload = join(box, 'etc/ld.so.preload');
  copyFileSync(source, join(box, LIBRARY));
  writeFileSync(preload, `${LIBRARY}\n`);
  // Meant for everybody, whatever the worker's own umask.
  for (const path of [join(box, LIBRARY), preload]) chmodSync(path, 0o644);
}

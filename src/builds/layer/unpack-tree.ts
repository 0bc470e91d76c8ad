import { createWriteStream } from 'node:fs';
import { chmod, mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

import { extract, type Header } from 'tar-stream';

import { MAX_LAYER_BYTES, MAX_LAYER_ENTRIES } from './layer-limits.js';

type Entry = AsyncIterable<Buffer> & { header: Header; resume(): unknown };

/**
 * Unpacks what `packTree` packed into the new folder `target`. Nothing is synced to the disk: it is a copy of what is stored.
 * Every file is made anew below folders that were made here, so that nothing is written through a link.
 *
 * @throws Error where the stored bytes are damaged or writing fails; what was unpacked by then stays
 */
export async function unpackTree(source: Readable, target: string): Promise<void> {
  await makeFolder(target);
  const tar = extract();
  const pumping = pipeline(source, createGunzip(), tar);
  pumping.catch(() => undefined);
  const folders = new Set([target]);
  let entries = 0;
  let bytes = 0;
  for await (const entry of tar as AsyncIterable<Entry>) {
    const { header } = entry;
    bytes += header.size ?? 0;
    if (++entries > MAX_LAYER_ENTRIES || bytes > MAX_LAYER_BYTES)
      throw new Error('the stored dependencies are larger than any that are kept');
    const path = join(target, plain(header.name));
    if (!folders.has(dirname(path))) throw new Error(`${header.name} is stored before its folder`);
    if (header.type === 'directory') {
      await makeFolder(path);
      folders.add(path);
    } else if (header.type === 'symlink') await symlink(header.linkname!, path);
    else {
      await pipeline(entry, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
      await chmod(path, (header.mode ?? 0) & 0o111 ? 0o755 : 0o644);
    }
    entry.resume();
  }
  await pumping;
}

function plain(name: string): string {
  const steps = name.replace(/\/$/, '').split('/');
  if (steps.some((step) => step === '' || step === '.' || step === '..'))
    throw new Error(`${JSON.stringify(name)} is not a path within a folder`);
  return steps.join('/');
}

/** The mode is set apart, for the one given to `mkdir` is subject to the umask. */
async function makeFolder(path: string): Promise<void> {
  await mkdir(path);
  await chmod(path, 0o755);
}

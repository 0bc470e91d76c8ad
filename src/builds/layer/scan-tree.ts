import { posix } from 'node:path';

import type { PackedEntry } from '../../../libs/archive/index.js';
import { HeldDirectory } from '../../../libs/sandbox/index.js';
import { MAX_LAYER_BYTES, MAX_LAYER_ENTRIES, UnusableLayer } from './layer-limits.js';

interface ScannedTree {
  /** A folder comes before what it contains. */
  entries: PackedEntry[];
  /** What was left out, and why, a line each. */
  dropped: string[];
}

/** Where a link may point besides the folder itself: they are the same, read-only, wherever the result is used. */
const SYSTEM = /^\/(?:usr|bin|lib|lib64|runtime)\//;
const MOST_TOLD = 20;
const MAX_PATH_BYTES = 4000;

/**
 * Everything in the folder `root` that can be kept, as nobody writes to it any more: files, folders, and links that stay inside or
 * lead to the system's programs. What cannot be read for lack of permission is made readable first. No link is followed.
 *
 * @param tops the entries at the top to look at; default: all
 * @param mount what the folder is called where it is used
 * @throws UnusableLayer when there is more than may be kept
 */
export async function scanTree(
  root: string,
  { tops, mount = '/app' }: { tops?: readonly string[]; mount?: string } = {},
): Promise<ScannedTree> {
  const tree: ScannedTree = { entries: [], dropped: [] };
  let bytes = 0;
  const add = (entry: PackedEntry): void => {
    tree.entries.push(entry);
    if (tree.entries.length > MAX_LAYER_ENTRIES)
      throw new UnusableLayer('it leaves more than 200,000 files and folders');
  };
  const drop = (path: string, why: string): void => {
    if (tree.dropped.length < MOST_TOLD) tree.dropped.push(`${JSON.stringify(path)} is left out: ${why}`);
  };
  const visit = async (folder: HeldDirectory, name: Buffer, path: string): Promise<void> => {
    const stat = await folder.stat(name);
    if (Buffer.byteLength(path) > MAX_PATH_BYTES || path.includes('\ufffd'))
      drop(path, 'its name is too long or not UTF-8');
    else if (stat.isDirectory()) {
      add({ kind: 'directory', path });
      const inner = await folder.directory(name);
      try {
        if ((stat.mode & 0o700) !== 0o700) await inner.chmod(0o755);
        for (const entry of await namesIn(inner)) await visit(inner, entry.bytes, `${path}/${entry.text}`);
      } finally {
        await inner.close();
      }
    } else if (stat.isSymbolicLink()) {
      const target = await folder.readLink(name);
      if (stays(path, target, mount)) add({ kind: 'symlink', path, target });
      else drop(path, `it is a link that points outside (${JSON.stringify(target)})`);
    } else if (stat.isFile()) {
      bytes += stat.size;
      if (bytes > MAX_LAYER_BYTES) throw new UnusableLayer('it leaves more than 1 GiB');
      if ((stat.mode & 0o400) === 0) await folder.chmodFile(name, 0o644);
      add({ kind: 'file', path, size: stat.size, executable: (stat.mode & 0o111) !== 0 });
    } else drop(path, 'it is no file, folder or link');
  };
  const folder = await HeldDirectory.open(root);
  try {
    for (const { bytes: name, text } of await namesIn(folder))
      if (!tops || tops.includes(text)) await visit(folder, name, text);
  } finally {
    await folder.close();
  }
  return tree;
}

interface Name {
  bytes: Buffer;
  text: string;
}

/** In the order of their text, so that the same content is always packed to the same bytes. */
async function namesIn(folder: HeldDirectory): Promise<Name[]> {
  const names = (await folder.entries()).map(({ name }) => ({ bytes: name, text: name.toString('utf8') }));
  return names.sort((one, other) => (one.text < other.text ? -1 : 1));
}

function stays(path: string, target: string, mount: string): boolean {
  if (target.startsWith('/')) {
    const plain = posix.normalize(target);
    return SYSTEM.test(plain) || plain.startsWith(`${mount}/`);
  }
  const end = posix.normalize(posix.join(posix.dirname(path), target));
  return end !== '..' && !end.startsWith('../');
}

import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Pack } from 'tar-stream';

type Header = Parameters<Pack['entry']>[0];

/** What is packed of a folder; paths are relative to it. */
export type PackedEntry =
  | { kind: 'directory'; path: string }
  | { kind: 'file'; path: string; size: number; executable: boolean }
  | { kind: 'symlink'; path: string; target: string };

/**
 * Packs an entry the same way every time: without times and owners, with modes 0755 and 0644, links as links.
 *
 * @param open opens the bytes of a file that is not empty
 */
export async function addEntry(
  tar: Pack,
  entry: PackedEntry,
  open: (path: string) => Readable | Promise<Readable>,
): Promise<void> {
  const header = { name: entry.path, mtime: new Date(0), uid: 0, gid: 0 };
  if (entry.kind === 'directory')
    return addEmpty(tar, { ...header, name: `${entry.path}/`, type: 'directory', mode: 0o755 });
  if (entry.kind === 'symlink')
    return addEmpty(tar, { ...header, type: 'symlink', linkname: entry.target, mode: 0o777 });
  const { size, executable } = entry;
  const file: Header = { ...header, type: 'file', mode: executable ? 0o755 : 0o644, size };
  if (size === 0) return addEmpty(tar, file);
  await pipeline(await open(entry.path), tar.entry(file));
}

function addEmpty(tar: Pack, header: Header): Promise<void> {
  return new Promise((resolve, reject) => {
    tar.entry(header, '', (error) => (error ? reject(error) : resolve()));
  });
}

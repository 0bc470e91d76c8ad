import { link, mkdir, open, readdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ArchiveTree } from './archive-tree.js';
import { inspectArchive, type InspectedArchive } from './inspect-archive.js';
import { readEntries, type ArchiveEntry } from './read-entries.js';

/**
 * Unpacks an archive into `targetDir`, which must be empty or not be there, and puts it on the disk. Everything is checked before the first
 * byte is written. Files get 0755 or 0644, folders 0755; owners, times and special bits of the archive are not taken over.
 *
 * The caller unpacks to a temporary name beside the final one and renames it, so that no half-unpacked folder is ever used.
 *
 * @throws InvalidInput at `archive`; Error with the system's code (such as ENOSPC) where writing fails
 */
export async function unpackArchive(
  archive: string | Buffer | InspectedArchive,
  targetDir: string,
): Promise<void> {
  const known =
    typeof archive === 'string' || Buffer.isBuffer(archive) ? await inspectArchive(archive) : archive;
  await makeFolder(targetDir);
  if ((await readdir(targetDir)).length > 0) throw new Error(`${targetDir} is not empty`);

  const folders = new Set([targetDir]);
  const prefix = known.wrapper === null ? '' : `${known.wrapper}/`;
  const place = (path: string) => join(targetDir, path.slice(prefix.length));
  for await (const entry of readEntries(known.bytes, new ArchiveTree())) {
    if (!entry.path.startsWith(prefix)) continue;
    const path = place(entry.path);
    await makeFolders(entry.kind === 'directory' ? path : dirname(path), targetDir, folders);
    if (entry.kind === 'file') await writeFile(entry, path);
    else if (entry.kind === 'symlink') await symlink(entry.target!, path);
    else if (entry.kind === 'link') await link(place(entry.target!), path);
  }
  for (const folder of folders) await syncFolder(folder);
}

async function writeFile(entry: ArchiveEntry, path: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const chunk of entry.content) await file.writeFile(chunk);
    // Set here, for the mode given to `open` is subject to the umask.
    await file.chmod(entry.executable ? 0o755 : 0o644);
    await file.datasync();
  } finally {
    await file.close();
  }
}

async function makeFolders(path: string, root: string, known: Set<string>): Promise<void> {
  if (known.has(path)) return;
  if (path !== root) await makeFolders(dirname(path), root, known);
  await makeFolder(path);
  known.add(path);
}

async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true });
  const folder = await open(path, 'r');
  try {
    await folder.chmod(0o755);
  } finally {
    await folder.close();
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

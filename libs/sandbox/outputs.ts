import { constants, createReadStream } from 'node:fs';
import type { Dirent, ReadStream } from 'node:fs';
import { chmod, lstat, open, readdir } from 'node:fs/promises';

/** One file that a run left in /outputs. */
export interface OutputFile {
  /** Relative to /outputs, with `/` between its parts. Bytes that are no UTF-8 become U+FFFD. */
  path: string;
  /** In bytes. */
  size: number;
  /** Reads it; possible until the box is disposed of. */
  open(): ReadStream;
}

/** The box's user may take even its own permissions away; root reads all the same, an ordinary worker has to ask. */
async function withPermission<T>(path: Buffer, mode: number, attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error;
    await chmod(path, mode);
    return attempt();
  }
}

async function entriesOf(directory: Buffer): Promise<Dirent<Buffer>[]> {
  const list = () => readdir(directory, { withFileTypes: true, encoding: 'buffer' });
  const entries = await withPermission(directory, 0o700, list);
  return entries.sort((one, other) => Buffer.compare(one.name, other.name));
}

/** Linux's PATH_MAX, with room for what we put in front. */
const MAX_PATH_BYTES = 4000;

/**
 * Walks a directory that nobody writes to any more: regular files, each once by the first of its names. Symbolic links,
 * FIFOs, sockets and devices are passed over, and no link is ever followed.
 *
 * @param descriptor of the directory; it must stay open as long as the files are read.
 * @throws if a directory cannot be read, or lies so deep that its path is too long for the system.
 */
export async function* walkOutputs(descriptor: number): AsyncGenerator<OutputFile> {
  const base = Buffer.from(`/proc/self/fd/${descriptor}/`);
  /** The directory is one file system, so that the number alone tells a file. */
  const seen = new Set<bigint>();
  const pending: Buffer[] = [Buffer.alloc(0)];
  for (let relative = pending.pop(); relative !== undefined; relative = pending.pop()) {
    for (const entry of await entriesOf(Buffer.concat([base, relative]))) {
      const inside = Buffer.concat([relative, entry.name]);
      if (inside.length > MAX_PATH_BYTES) {
        throw new RangeError(`a path in /outputs is longer than ${MAX_PATH_BYTES} bytes`);
      }
      if (entry.isDirectory()) pending.push(Buffer.concat([inside, Buffer.from('/')]));
      if (!entry.isFile()) continue;
      const path = Buffer.concat([base, inside]);
      const { size, nlink, ino } = await lstat(path, { bigint: true });
      if (nlink > 1n) {
        if (seen.has(ino)) continue;
        seen.add(ino);
      }
      await (
        await withPermission(path, 0o600, () => open(path, constants.O_RDONLY | constants.O_NOFOLLOW))
      ).close();
      yield { path: inside.toString('utf8'), size: Number(size), open: () => createReadStream(path) };
    }
  }
}

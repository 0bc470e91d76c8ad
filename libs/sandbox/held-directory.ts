import { constants } from 'node:fs';
import type { Dirent, Stats } from 'node:fs';
import { chmod, lstat, open, readdir, readlink, rename, rmdir, unlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';

/** A descriptor of a place in the tree, for which its permissions do not matter. Node has no name for it; the number is Linux's on x86-64 and arm64. */
const O_PATH = 0o10000000;
const AS_DIRECTORY = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** A name in a directory as the system knows it: bytes, which need not be text. */
type EntryName = string | Buffer;

/**
 * A directory held by a descriptor, for walks over what a box wrote. Each step takes one name from the directory that
 * is held. So no link is followed, and nothing that is moved meanwhile leads elsewhere, even while something of the box
 * still runs.
 */
export class HeldDirectory {
  private constructor(
    private readonly descriptor: number,
    private readonly handle: FileHandle | null,
  ) {}

  /** @throws ENOTDIR where `path` is a link or anything else; the folder that it lies in must be the caller's. */
  static async open(path: EntryName): Promise<HeldDirectory> {
    const handle = await open(path, AS_DIRECTORY);
    return new HeldDirectory(handle.fd, handle);
  }

  /** @param descriptor of an open directory, which stays the caller's to close. */
  static of(descriptor: number): HeldDirectory {
    return new HeldDirectory(descriptor, null);
  }

  async close(): Promise<void> {
    await this.handle?.close();
  }

  /** @throws ENOTDIR for a link, and whatever else is no directory. */
  directory(name: EntryName): Promise<HeldDirectory> {
    return HeldDirectory.open(this.at(name));
  }

  entries(): Promise<Dirent<Buffer>[]> {
    return readdir(this.self, { withFileTypes: true, encoding: 'buffer' });
  }

  /** Of the entry itself, also where it is a link. */
  stat(name: EntryName): Promise<Stats> {
    return lstat(this.at(name));
  }

  readLink(name: EntryName): Promise<string> {
    return readlink(this.at(name));
  }

  /** For reading. @throws ELOOP for a link; Error for what is neither a file nor a link. */
  async file(name: EntryName): Promise<FileHandle> {
    // Without O_NONBLOCK, opening a FIFO would wait for somebody who writes to it.
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    const file = await open(this.at(name), flags);
    if ((await file.stat()).isFile()) return file;
    await file.close();
    throw new Error(`${String(name)} is not a regular file`);
  }

  chmod(mode: number): Promise<void> {
    return chmod(this.self, mode);
  }

  /** Changes the mode of a regular file. Anything else stays as it is. */
  async chmodFile(name: EntryName, mode: number): Promise<void> {
    const place = await open(this.at(name), O_PATH | constants.O_NOFOLLOW);
    try {
      // Through the descriptor, for `chmod` of a path would follow a link.
      if ((await place.stat()).isFile()) await chmod(`/proc/self/fd/${place.fd}`, mode);
    } finally {
      await place.close();
    }
  }

  /** Removes anything but a directory. */
  unlink(name: EntryName): Promise<void> {
    return unlink(this.at(name));
  }

  removeDirectory(name: EntryName): Promise<void> {
    return rmdir(this.at(name));
  }

  moveTo(target: HeldDirectory, name: EntryName, newName: string): Promise<void> {
    return rename(this.at(name), target.at(newName));
  }

  private get self(): string {
    return `/proc/self/fd/${this.descriptor}`;
  }

  private at(name: EntryName): Buffer {
    return Buffer.concat([Buffer.from(`${this.self}/`), Buffer.from(name)]);
  }
}

/** Opens the file that a path of names leads to, each of which must be a directory of its own; see {@link HeldDirectory.file}. */
export async function openBeneath(root: HeldDirectory, path: readonly EntryName[]): Promise<FileHandle> {
  const [name, ...rest] = path;
  if (name === undefined) throw new TypeError('a path needs a name');
  if (rest.length === 0) return root.file(name);
  const next = await root.directory(name);
  try {
    return await openBeneath(next, rest);
  } finally {
    await next.close();
  }
}

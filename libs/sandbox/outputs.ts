import { opendirSync } from 'node:fs';
import type { Dir, Dirent } from 'node:fs';
import { PassThrough } from 'node:stream';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { HeldDirectory, openBeneath } from './held-directory.js';

/** One file that a run left in /outputs. */
export interface OutputFile {
  /** Relative to /outputs, with `/` between its parts. Bytes that are no UTF-8 become U+FFFD. */
  path: string;
  /** In bytes. */
  size: number;
  /** Reads it; possible until the box is disposed of. */
  open(): Readable;
}

/** The box's user may take even its own permissions away; root reads all the same, an ordinary worker has to ask. */
async function withPermission<T>(ask: () => Promise<void>, attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error;
    await ask();
    return attempt();
  }
}

async function entriesOf(directory: HeldDirectory): Promise<Dirent<Buffer>[]> {
  const entries = await withPermission(
    () => directory.chmod(0o700),
    () => directory.entries(),
  );
  return entries.sort((one, other) => Buffer.compare(one.name, other.name));
}

const MAX_PATH_BYTES = 4000;
/** Each folder on the way is held open. */
const MAX_DEPTH = 256;

function checkPlace(steps: readonly Buffer[]): void {
  const bytes = steps.reduce((sum, { length }) => sum + length + 1, -1);
  if (bytes > MAX_PATH_BYTES)
    throw new RangeError(`a path in /outputs is longer than ${MAX_PATH_BYTES} bytes`);
  if (steps.length > MAX_DEPTH)
    throw new RangeError(`a path in /outputs is nested deeper than ${MAX_DEPTH} folders`);
}

function reading(root: HeldDirectory, steps: readonly Buffer[]): Readable {
  const content = new PassThrough();
  openBeneath(root, steps)
    .then((file) => pipeline(file.createReadStream(), content))
    .catch((error: Error) => content.destroy(error));
  return content;
}

async function* walk(
  root: HeldDirectory,
  directory: HeldDirectory,
  above: readonly Buffer[],
  /** Files with several names; the directory is one file system, so that the number alone tells a file. */
  seen: Set<number>,
): AsyncGenerator<OutputFile> {
  for (const entry of await entriesOf(directory)) {
    const steps = [...above, entry.name];
    checkPlace(steps);
    if (entry.isDirectory()) {
      const inner = await directory.directory(entry.name);
      try {
        yield* walk(root, inner, steps, seen);
      } finally {
        await inner.close();
      }
    }
    if (!entry.isFile()) continue;
    const { size, nlink, ino } = await directory.stat(entry.name);
    if (nlink > 1) {
      if (seen.has(ino)) continue;
      seen.add(ino);
    }
    await (
      await withPermission(
        () => directory.chmodFile(entry.name, 0o600),
        () => directory.file(entry.name),
      )
    ).close();
    const path = steps.map((step) => step.toString('utf8')).join('/');
    yield { path, size, open: () => reading(root, steps) };
  }
}

/** As it is after most runs. The directory is memory, so that asking takes less time than having a thread ask. */
function isEmpty(descriptor: number): boolean {
  let directory: Dir | null = null;
  try {
    directory = opendirSync(`/proc/self/fd/${descriptor}`, { bufferSize: 1 });
    return directory.readSync() === null;
  } catch {
    return false; // The walk asks for permission, or says what is wrong.
  } finally {
    directory?.closeSync();
  }
}

/**
 * Walks a directory that nobody writes to any more, for the box has ended: regular files, each once by the first of its names. Symbolic
 * links, FIFOs, sockets and devices are passed over, and no link is ever followed.
 *
 * @param descriptor of the directory; it must stay open as long as the files are read.
 * @throws if a directory cannot be read, or lies too deep.
 */
export async function* walkOutputs(descriptor: number): AsyncGenerator<OutputFile> {
  if (isEmpty(descriptor)) return;
  const root = HeldDirectory.of(descriptor);
  yield* walk(root, root, [], new Set());
}

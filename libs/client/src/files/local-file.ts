import type { RequestBody } from '../http/transport.js';

/** Read while the program runs, so that bundlers for browsers leave it alone. */
const node = <Module>(name: string): Promise<Module> =>
  import(/* @vite-ignore */ /* webpackIgnore: true */ `node:${name}`) as Promise<Module>;

/** What of Node's modules is used here: this package is compiled without them. */
interface NodeFiles {
  open(
    path: string | URL,
    flags: string,
  ): Promise<{
    readableWebStream?: unknown;
    createReadStream(): unknown;
    writeFile(content: AsyncIterable<Uint8Array>): Promise<void>;
    chmod(mode: number): Promise<void>;
    close(): Promise<void>;
  }>;
  lstat(path: string | URL): Promise<{ mode: number; isFile(): boolean }>;
  rename(from: string | URL, to: string | URL): Promise<void>;
  rm(path: string | URL, options: { force: boolean }): Promise<void>;
}

/** A file of this machine: opened anew for each try, and never held in memory as a whole. */
export function localFile(path: string | URL, type: string): RequestBody {
  return {
    repeatable: true,
    type,
    async open() {
      const [{ open }, { Readable }] = await Promise.all([
        node<NodeFiles>('fs/promises'),
        node<{ Readable: { toWeb(stream: unknown): ReadableStream<Uint8Array<ArrayBuffer>> } }>('stream'),
      ]);
      const file = await open(path, 'r');
      return Readable.toWeb(file.createReadStream());
    },
  };
}

/**
 * Writes to a file of this machine. A file that was there stays until all of it has come, and keeps its mode. A device, a pipe and what a
 * link leads to are written into.
 */
export async function writeLocalFile(path: string | URL, content: ReadableStream<Uint8Array>): Promise<void> {
  const { open, lstat, rename, rm } = await node<NodeFiles>('fs/promises');
  const before = await lstat(path).catch((error: { code?: string }) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (before && !before.isFile()) {
    const target = await open(path, 'w');
    try {
      return await target.writeFile(chunksOf(content));
    } finally {
      await target.close();
    }
  }
  // A name that nobody can have put a link at.
  const ending = `.${crypto.randomUUID()}.part`;
  const part = typeof path === 'string' ? path + ending : new URL(path.href + ending);
  try {
    const file = await open(part, 'wx');
    try {
      await file.writeFile(chunksOf(content));
      if (before) await file.chmod(before.mode & 0o7777);
    } finally {
      await file.close();
    }
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/** Not every browser's streams are iterable. */
async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

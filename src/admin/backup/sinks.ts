import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { extract, pack } from 'tar-stream';

import { DataLock } from '../../core/database/embedded/index.js';
import {
  type BlobStore,
  ByteMeter,
  createBlobStore,
  StorageFull,
  type StoredBytes,
} from '../../core/storage/index.js';
import { CommandRefused } from '../command-refused.js';

const NO_LIMIT = { maxBytes: Number.MAX_SAFE_INTEGER };
/** A tar archive tells the size of an entry before its bytes: what is of unknown size comes in parts. */
const PART_BYTES = 4 * 1024 * 1024;

/** Where a backup is written to. */
export interface Sink {
  /** How many writes there may be at once. */
  atOnce: number;
  /** All of it or nothing. */
  write(key: string, source: Readable): Promise<StoredBytes>;
  /** All that was written is there to stay. */
  end(): Promise<void>;
}

/** A directory that holds backups, for this process alone. */
export async function intoDirectory(path: string): Promise<Sink & { store: BlobStore }> {
  const directory = resolve(path);
  const store = await createBlobStore({ kind: 'file', directory });
  await store.open().catch((error: Error) => {
    throw new CommandRefused(`${directory} cannot be used: ${wordsOf(error)}.`);
  });
  const lock = DataLock.acquire(
    directory,
    (holder) => `Another backup is being written to ${directory}${holder}. Wait for it.`,
  );
  return {
    store,
    atOnce: 4,
    write: (key, source) =>
      store.write(key, source, NO_LIMIT).catch((error: unknown) => {
        if (error instanceof StorageFull) throw new CommandRefused(`No space is left in ${directory}.`);
        throw error;
      }),
    end: () => Promise.resolve(lock.release()),
  };
}

/** Of the system rather than of the place for files, which the store takes it for. */
function wordsOf({ message, cause }: Error): string {
  return cause instanceof Error ? cause.message : message;
}

export async function fromDirectory(path: string): Promise<BlobStore> {
  const directory = resolve(path);
  const found = await stat(directory).catch(() => null);
  if (!found?.isDirectory()) throw new CommandRefused(`There is no directory ${directory}.`);
  return createBlobStore({ kind: 'file', directory });
}

/** A tar archive, written as it is made. */
export function intoStream(out: Writable): Sink {
  const archive = pack();
  const written = pipeline(archive, out, { end: false });
  written.catch(() => undefined);
  const entry = async (name: string, bytes: Buffer): Promise<void> => {
    const body = archive.entry({ name, size: bytes.length });
    body.end(bytes);
    await Promise.race([once(body, 'finish'), written]);
  };
  return {
    atOnce: 1,
    async write(key, source) {
      const meter = new ByteMeter(NO_LIMIT.maxBytes);
      for await (const part of inParts(meter.through(source))) await entry(key, part);
      return { size: meter.size, sha256: meter.sha256 };
    },
    async end() {
      archive.finalize();
      await written;
    },
  };
}

/** Puts what `intoStream` has written into a store. */
export async function unpack(source: Readable, store: BlobStore): Promise<void> {
  const entries = extract();
  const read = pipeline(source, entries);
  read.catch(() => undefined);
  const iterator = entries[Symbol.asyncIterator]();
  let next = await iterator.next();
  while (!next.done) {
    const key = next.value.header.name;
    async function* parts(): AsyncGenerator<Uint8Array> {
      for (; !next.done && next.value.header.name === key; next = await iterator.next()) {
        yield* next.value as AsyncIterable<Uint8Array>;
      }
    }
    await store.write(key, Readable.from(parts(), { objectMode: false }), NO_LIMIT);
  }
  await read;
}

async function* inParts(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    held.push(chunk);
    size += chunk.length;
    if (size < PART_BYTES) continue;
    yield Buffer.concat(held);
    held = [];
    size = 0;
  }
  yield Buffer.concat(held);
}

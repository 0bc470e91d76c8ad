import { lstat, mkdtemp, readdir, readlink, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { pack } from 'tar-stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fuzz } from '../fuzz/index.js';
import { InvalidInput } from '../invalid-input/index.js';
import { inspectArchive } from './inspect-archive.js';
import { unpackArchive } from './unpack-archive.js';

type Header = Parameters<ReturnType<typeof pack>['entry']>[0];

/** Mostly harmless, so that many an archive is unpacked in the end. */
const step = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom('a', 'b', 'c.py', 'lib', 'é', '.', '') },
  { weight: 1, arbitrary: fc.constantFrom('..', '\u0001', '__MACOSX', 'x'.repeat(256)) },
);
const path = fc.array(step, { minLength: 1, maxLength: 4 }).map((steps) => steps.join('/'));
const entry = fc.record({
  name: path,
  type: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom<Header['type']>('file', 'directory') },
    { weight: 3, arbitrary: fc.constantFrom<Header['type']>('symlink', 'link') },
    { weight: 1, arbitrary: fc.constantFrom<Header['type']>('fifo', 'block-device') },
  ),
  linkname: path,
  mode: fc.integer({ min: 0, max: 0o7777 }),
  content: fc.string({ maxLength: 40 }),
});
const entries = fc.array(entry, { minLength: 1, maxLength: 6 });

async function tar(items: { name: string; type: Header['type']; linkname: string; content: string }[]) {
  const stream = pack();
  for (const { content, type, ...header } of items)
    stream.entry({ ...header, type }, type === 'file' ? content : '');
  stream.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

describe('the archive reader, fuzzed', () => {
  let directory: string;
  let count = 0;
  beforeEach(async () => {
    directory = await mkdtemp(join(await realpath(tmpdir()), 'archive-fuzz-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  /** Unpacks, or is told why not; then nothing lies outside and nothing points outside. */
  async function tryToUnpack(archive: Buffer): Promise<void> {
    const target = join(directory, String(count++), 'inner');
    try {
      await unpackArchive(await inspectArchive(archive), target);
    } catch (error) {
      expect(error).toBeInstanceOf(InvalidInput);
      expect((error as InvalidInput).details?.[0]?.path).toBe('archive');
      return;
    }
    expect(await readdir(join(target, '..'))).toEqual(['inner']);
    await checkInside(target, target);
  }

  async function checkInside(folder: string, root: string): Promise<void> {
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      const found = await lstat(path);
      expect(found.isFile() || found.isDirectory() || found.isSymbolicLink()).toBe(true);
      if (found.isDirectory()) await checkInside(path, root);
      if (!found.isSymbolicLink()) expect(found.mode & 0o7022).toBe(0);
      else expect(join(folder, await readlink(path)) + sep).toContain(root + sep);
    }
  }

  it('unpacks entries of any name and kind inside the folder, or says what is wrong with one', () =>
    fuzz(
      'archive reader, entries',
      fc.asyncProperty(entries, async (items) => tryToUnpack(gzipSync(await tar(items), { level: 1 }))),
      { runs: 400 },
    ));

  it('stands damaged tar bytes', () =>
    fuzz(
      'archive reader, tar bytes',
      fc.asyncProperty(
        entries,
        fc.array(fc.tuple(fc.nat(4_096), fc.nat(255)), { minLength: 1, maxLength: 12 }),
        async (items, changes) => {
          const bytes = await tar(items);
          for (const [at, value] of changes) bytes[at % bytes.length] = value;
          await tryToUnpack(gzipSync(bytes, { level: 1 }));
        },
      ),
      { runs: 400 },
    ));

  it('stands damaged and cut compressed bytes', () =>
    fuzz(
      'archive reader, gzip bytes',
      fc.asyncProperty(entries, fc.nat(), fc.nat(255), fc.boolean(), async (items, at, value, cut) => {
        const bytes = gzipSync(await tar(items));
        const place = at % bytes.length;
        if (cut) return tryToUnpack(bytes.subarray(0, place));
        bytes[place] = value;
        await tryToUnpack(bytes);
      }),
      { runs: 400 },
    ));
});

import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';

import { inspectArchive } from '../../../../../archive/index.js';
import { archiveOf, base64, filesOfArchive } from './archive.js';
import type { DraftFile } from './draft.js';

const made: string[] = [];
afterEach(() => made.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));

const file = (path: string, content: DraftFile['content'] = 'x\n', executable = false): DraftFile => ({
  path,
  content,
  executable,
});

/** A folder on disk, packed by the machine's own tar. */
function packed(paths: string[], ...options: string[]): Uint8Array<ArrayBuffer> {
  const folder = mkdtempSync(join(tmpdir(), 'archive-spec-'));
  made.push(folder);
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), `content of ${path}`);
  }
  symlinkSync('main.py', join(folder, 'link.py'));
  // To its output: a file made beside them would change the folder while it is read.
  return new Uint8Array(execFileSync('tar', ['-czf', '-', ...options, '-C', folder, '.']));
}

const LONG = `${'folder/'.repeat(20)}${'n'.repeat(120)}.py`;

describe('packing', () => {
  it('makes an archive that the service reads, with every path and mode', async () => {
    const files = [
      file('main.py'),
      file('run.sh', 'echo', true),
      file('ü/日本.txt'),
      file(LONG),
      file('empty', ''),
    ];
    const { files: read, wrapper } = await inspectArchive(base64(await archiveOf(files)));
    expect(read.map(({ path, size, mode }) => [path, size, mode])).toEqual(
      files.map(({ path, content, executable }) => [path, content.length, executable ? 0o755 : 0o644]),
    );
    expect(wrapper).toBeNull();
  });

  it('keeps a lone folder, which would else be taken for the script itself', async () => {
    const archive = await archiveOf([file('src/main.py')]);
    for (const { files } of [await inspectArchive(base64(archive)), await filesOfArchive(archive)]) {
      expect(files.map(({ path }) => path)).toEqual(['src/main.py']);
    }
  });

  it('gives the same bytes for the same files, and comes back as it was', async () => {
    const files = [
      file('a.bin', new Uint8Array([0, 1, 255])),
      file('b.py', '\ufeffprint("ü")\r\n'),
      file(LONG),
    ];
    const first = await archiveOf(files);
    expect(await archiveOf(files)).toEqual(first);
    expect(await filesOfArchive(first)).toEqual({ files, leftOut: [] });
  });

  it('refuses what the service would refuse for its size', async () => {
    const noise = new Uint8Array(randomBytes(11 * 1024 * 1024));
    await expect(archiveOf([file('noise', noise)])).rejects.toThrow(/10 MB/);
  });
});

describe('unpacking', () => {
  it.each([['--format=gnu'], ['--format=posix'], ['--format=ustar']])(
    'reads what tar %s wrote',
    async (format) => {
      const paths = [
        'main.py',
        `${'d'.repeat(90)}/${'e'.repeat(60)}/f.py`,
        'node_modules/x/index.js',
        '.git/HEAD',
      ];
      const { files, leftOut } = await filesOfArchive(packed(paths, format));
      expect(files.map(({ path, content }) => [path, content]).sort()).toEqual(
        paths
          .slice(0, 2)
          .map((path) => [path, `content of ${path}`])
          .sort(),
      );
      expect(leftOut).toEqual(['link.py']);
    },
  );

  it('takes off the folder around everything', async () => {
    const tar = packed(['main.py', 'src/a.py'], '--transform=s,^\\.,report,');
    expect((await filesOfArchive(tar)).files.map(({ path }) => path).sort()).toEqual(['main.py', 'src/a.py']);
  });

  it.each([
    ['text', new TextEncoder().encode('no archive')],
    ['nothing', new Uint8Array(0)],
    ['half an archive', packed(['main.py']).slice(0, 80)],
  ])('refuses %s in plain words', async (_, bytes) => {
    await expect(filesOfArchive(bytes)).rejects.toThrow(/not a \.tar\.gz archive/);
  });
});

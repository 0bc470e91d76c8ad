import { execFileSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inspectArchive } from './inspect-archive.js';
import { packDirectory } from './pack-directory.js';
import { unpackArchive } from './unpack-archive.js';

type Header = Parameters<ReturnType<typeof pack>['entry']>[0];

async function tgz(...items: (Header & { content?: string })[]): Promise<Buffer> {
  const tar = pack();
  for (const { content, ...header } of items) tar.entry(header, content ?? '');
  tar.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of tar) chunks.push(chunk as Buffer);
  return gzipSync(Buffer.concat(chunks));
}

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'unpack-spec-'));
});
afterEach(() => rmSync(dir, { recursive: true }));
const mode = (path: string) => lstatSync(join(dir, path)).mode & 0o7777;

describe('unpackArchive', () => {
  it('writes files, folders and links with plain modes', async () => {
    const archive = await tgz(
      { name: 'x/', type: 'directory', mode: 0o700 },
      { name: 'x/main.py', content: 'print(1)', mode: 0o600 },
      { name: 'x/bin/tool', content: '#!', mode: 0o4755 },
      { name: 'x/closed/', type: 'directory', mode: 0 },
      { name: 'x/closed/empty' },
      { name: 'x/bin/link', type: 'symlink', linkname: '../main.py' },
      { name: 'x/same', type: 'link', linkname: 'x/main.py' },
    );
    const umask = process.umask(0o077);
    try {
      await unpackArchive(archive, join(dir, 'out'));
    } finally {
      process.umask(umask);
    }
    expect(readdirSync(join(dir, 'out')).sort()).toEqual(['bin', 'closed', 'main.py', 'same']);
    expect(readFileSync(join(dir, 'out/main.py'), 'utf8')).toBe('print(1)');
    expect(readFileSync(join(dir, 'out/bin/link'), 'utf8')).toBe('print(1)');
    expect(readlinkSync(join(dir, 'out/bin/link'))).toBe('../main.py');
    expect(readFileSync(join(dir, 'out/same'), 'utf8')).toBe('print(1)');
    expect(mode('out')).toBe(0o755);
    expect(mode('out/bin')).toBe(0o755);
    expect(mode('out/closed')).toBe(0o755);
    expect(mode('out/closed/empty')).toBe(0o644);
    expect(mode('out/main.py')).toBe(0o644);
    expect(mode('out/bin/tool')).toBe(0o755);
  });

  it('gives back what tar packed', async () => {
    mkdirSync(join(dir, 'src/a/b'), { recursive: true });
    const big = Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * 31) % 253));
    writeFileSync(join(dir, 'src/a/b/big'), big);
    writeFileSync(join(dir, 'src/naïve.txt'), 'é');
    const archive = execFileSync('tar', ['-czf', '-', '-C', join(dir, 'src'), '.']);
    await unpackArchive(await inspectArchive(archive), join(dir, 'out'));
    execFileSync('diff', ['-r', join(dir, 'src'), join(dir, 'out')]);
  });

  it('writes nothing for an archive that is refused at its end', async () => {
    const archive = await tgz({ name: './ok', content: 'x' }, { name: '../evil', content: 'x' });
    await expect(unpackArchive(archive, join(dir, 'out'))).rejects.toThrow('climbs out');
    expect(readdirSync(dir)).toEqual([]);
  });

  it('refuses a folder that is not empty', async () => {
    writeFileSync(join(dir, 'there'), '');
    await expect(unpackArchive(await tgz({ name: 'a' }), dir)).rejects.toThrow('not empty');
  });
});

describe('packDirectory', () => {
  beforeEach(() => {
    mkdirSync(join(dir, 'src/lib'), { recursive: true });
    writeFileSync(join(dir, 'src/b.py'), 'x'.repeat(200_000));
    writeFileSync(join(dir, 'src/run.sh'), '#!/bin/sh', { mode: 0o755 });
    writeFileSync(join(dir, 'src/lib/empty'), '');
    symlinkSync('../b.py', join(dir, 'src/lib/link'));
  });

  async function packed(from: string): Promise<Buffer> {
    const chunks: Buffer[] = [];
    const sink = new Writable({
      write(chunk: Buffer, _encoding, done) {
        chunks.push(chunk);
        done();
      },
    });
    const { bytes } = await packDirectory(from, sink);
    const all = Buffer.concat(chunks);
    expect(bytes).toBe(all.length);
    return all;
  }

  it('gives the same bytes for the same content', async () => {
    const first = await packDirectory(join(dir, 'src'));
    execFileSync('touch', ['-d', '2001-01-01', join(dir, 'src/b.py')]);
    execFileSync('cp', ['-r', join(dir, 'src'), join(dir, 'copy')]);
    expect(await packDirectory(join(dir, 'copy'))).toEqual(first);
    writeFileSync(join(dir, 'copy/b.py'), 'y');
    expect((await packDirectory(join(dir, 'copy'))).sha256).not.toBe(first.sha256);
  });

  it('can be unpacked again, by us and by tar', async () => {
    const archive = await packed(join(dir, 'src'));
    await unpackArchive(archive, join(dir, 'out'));
    execFileSync('diff', ['-r', join(dir, 'src'), join(dir, 'out')]);
    expect(
      execFileSync('tar', ['-tzf', '-'], { input: archive }).toString().split('\n').filter(Boolean),
    ).toEqual(['b.py', 'lib/', 'lib/empty', 'lib/link', 'run.sh']);
  });

  it('says what it cannot pack', async () => {
    execFileSync('mkfifo', [join(dir, 'src/pipe')]);
    await expect(packDirectory(join(dir, 'src'))).rejects.toThrow('pipe is no file');
    await expect(packDirectory(join(dir, 'none'))).rejects.toThrow('ENOENT');
  });

  it('fails when the sink does', async () => {
    const sink = new Writable({ write: (_chunk, _encoding, done) => done(new Error('disk full')) });
    await expect(packDirectory(join(dir, 'src'), sink)).rejects.toThrow('disk full');
  });
});

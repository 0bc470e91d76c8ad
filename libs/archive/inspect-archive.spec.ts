import { execFileSync } from 'node:child_process';
import { mkdtempSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { InvalidInput } from '../invalid-input/index.js';
import { file, paths, tarOf, tgz } from './archives.fixture.js';
import { inspectArchive, readArchiveFile } from './inspect-archive.js';

describe('inspectArchive', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'archive-spec-'));
    mkdirSync(join(dir, 'script/lib'), { recursive: true });
    writeFileSync(join(dir, 'script/main.py'), 'print(1)\n');
    writeFileSync(join(dir, 'script/run.sh'), '#!/bin/sh\n', { mode: 0o755 });
    writeFileSync(join(dir, 'script/lib/été.py'), '');
    writeFileSync(join(dir, 'script/package.json'), '{"name":"x"}');
    symlinkSync('lib/été.py', join(dir, 'script/link.py'));
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  const tar = (...args: string[]) => execFileSync('tar', ['-czf', '-', ...args], { cwd: dir });
  const ALL = ['lib/été.py', 'link.py', 'main.py', 'package.json', 'run.sh'];

  it.each<[string, string[]]>([
    ['the folder’s content', ['-C', 'script', '.']],
    ['the folder', ['script']],
    ['its files by name', ['-C', 'script', 'main.py', 'lib', 'run.sh', 'package.json', 'link.py']],
    ['the pax format', ['--format=pax', '-C', 'script', '.']],
    ['the old GNU format', ['--format=oldgnu', 'script']],
    ['the GNU format, long names', ['--format=gnu', '-C', 'script', '.']],
  ])('takes an archive made by tar of %s', async (_name, args) => {
    const archive = tar(...args);
    const inspected = await inspectArchive(archive.toString('base64'));
    expect(inspected.files.map(({ path }) => path).sort()).toEqual(ALL);
    expect(inspected.files.find(({ path }) => path === 'run.sh')!.mode).toBe(0o755);
    expect(inspected.files.find(({ path }) => path === 'main.py')).toEqual({
      path: 'main.py',
      kind: 'file',
      size: 9,
      mode: 0o644,
    });
    expect(inspected.manifests).toEqual({ 'package.json': '{"name":"x"}' });
    expect(inspected.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(inspected.bytes.equals(archive)).toBe(true);
  });

  it('takes off the one folder around everything, unless the archive names its root', async () => {
    expect(await paths(await tgz(file('x/a.py'), file('x/b/c')))).toEqual(['a.py', 'b/c']);
    expect((await inspectArchive(await tgz(file('x/a.py')))).wrapper).toBe('x');
    expect(await paths(await tgz(file('./x/a.py')))).toEqual(['x/a.py']);
    expect(await paths(await tgz({ name: './', type: 'directory' }, file('x/a.py')))).toEqual(['x/a.py']);
    expect(await paths(await tgz(file('x/a.py'), file('y')))).toEqual(['x/a.py', 'y']);
    expect(await paths(await tgz(file('x')))).toEqual(['x']);
    expect(await paths(await tgz(file('x/a.py'), file('._x'), file('__MACOSX/._x')))).toEqual(['a.py']);
  });

  it('leaves out what macOS adds', async () => {
    expect(await paths(await tgz(file('./a'), file('./._a'), file('./.DS_Store'), file('./b/._c')))).toEqual([
      'a',
    ]);
  });

  it('reads manifests of the top only', async () => {
    const { manifests } = await inspectArchive(
      await tgz(file('requirements.txt', 'a'), file('sub/package.json', '{}'), file('pyproject.toml', 'b')),
    );
    expect(manifests).toEqual({ 'requirements.txt': 'a', 'pyproject.toml': 'b' });
  });

  it('reads one file', async () => {
    const inspected = await inspectArchive(await tgz(file('x/a', 'one'), file('x/b', 'two')));
    expect((await readArchiveFile(inspected, 'b', 100))!.toString()).toBe('two');
    expect(await readArchiveFile(inspected, 'c', 100)).toBeNull();
    await expect(readArchiveFile(inspected, 'b', 2)).rejects.toBeInstanceOf(InvalidInput);
  });

  it('takes links that stay inside', async () => {
    const archive = await tgz(
      file('./a/b/file'),
      { name: 'a/b/up', type: 'symlink', linkname: '../../a/./b/file' },
      { name: 'root', type: 'symlink', linkname: '.' },
      { name: 'a/top', type: 'symlink', linkname: '..' },
      { name: 'same', type: 'link', linkname: './a/b/file' },
    );
    expect((await inspectArchive(archive)).files.map(({ kind }) => kind)).toEqual([
      'file',
      'symlink',
      'symlink',
      'symlink',
      'link',
    ]);
  });

  it('is not misled by zero blocks in files', async () => {
    const zeros = Buffer.alloc(512 * 300 + 7);
    expect(await paths(await tgz(file('a', zeros), file('b', zeros), file('c')))).toEqual(['a', 'b', 'c']);
  });

  it('takes zeros after the data for padding, as bsdtar writes them into a pipe', async () => {
    const archive = await tgz(file('a'), file('b'));
    for (const length of [1, 4, 10_240, 200_000]) {
      expect(await paths(Buffer.concat([archive, Buffer.alloc(length)]))).toEqual(['a', 'b']);
    }
    const tar = await tarOf(file('a'), file('b'));
    for (const length of [7, 512, 10_247]) {
      expect(await paths(gzipSync(Buffer.concat([tar, Buffer.alloc(length)])))).toEqual(['a', 'b']);
    }
  });

  it('reads a file of several gzip members', async () => {
    const raw = await tarOf(file('a'), file('b'));
    expect(await paths(Buffer.concat([gzipSync(raw.subarray(0, 700)), gzipSync(raw.subarray(700))]))).toEqual(
      ['a', 'b'],
    );
  });
});

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { InvalidInput } from '../invalid-input/index.js';
import { type Item, file, paths, tarOf, tgz } from './archives.fixture.js';
import { inspectArchive } from './inspect-archive.js';

async function refusal(archive: string | Buffer | Promise<Buffer>): Promise<string> {
  const error: unknown = await inspectArchive(await archive).then(
    () => new Error('accepted'),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(InvalidInput);
  const { details } = error as InvalidInput;
  expect(details).toHaveLength(1);
  expect(details![0]!.path).toBe('archive');
  return details![0]!.message;
}

/** Writes the checksum of a header that was changed by hand. */
function seal(header: Buffer): Buffer {
  header.fill(0x20, 148, 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return header;
}

describe('archives that are refused', () => {
  it.each<[string, Item]>([
    ['an absolute path', file('/etc/passwd')],
    ['a path that climbs out', file('../evil')],
    ['a path that climbs out inside', file('a/../../evil')],
    ['a character device', { name: 'dev', type: 'character-device', devmajor: 1, devminor: 3 }],
    ['a block device', { name: 'dev', type: 'block-device' }],
    ['a named pipe', { name: 'pipe', type: 'fifo' }],
    ['a link to an absolute path', { name: 'l', type: 'symlink', linkname: '/etc/passwd' }],
    ['a link outside', { name: 'l', type: 'symlink', linkname: '../x' }],
    ['a link outside from below', { name: 'a/l', type: 'symlink', linkname: '../../x' }],
    ['a link that turns back', { name: 'l', type: 'symlink', linkname: 'a/../../x' }],
    ['a link that turns back inside', { name: 'l', type: 'symlink', linkname: 'a/../b' }],
    ['a hard link outside', { name: 'l', type: 'link', linkname: '/etc/passwd' }],
    ['a hard link to nothing', { name: 'l', type: 'link', linkname: 'nothing' }],
    ['a name with a line break', file('a\nb')],
    ['a name with an escape', file('a\u001b[31m')],
    ['a name that is too long', file('n'.repeat(256))],
    ['a path that is too long', file('d/'.repeat(600) + 'x')],
  ])('refuses %s, naming the entry', async (_name, item) => {
    const message = await refusal(tgz(file('./ok'), item));
    expect(message).toContain(JSON.stringify(item.name).slice(1, 30).replace(/"$/, ''));
  });

  it('refuses a link that leaves the folder which is taken off', async () => {
    expect(await refusal(tgz(file('x/a'), { name: 'x/l', type: 'symlink', linkname: '../x/a' }))).toContain(
      'outside',
    );
  });

  it('refuses to write through a link, below a file, or twice', async () => {
    const link: Item = { name: 'a', type: 'symlink', linkname: 'b' };
    expect(await refusal(tgz(file('b/c'), link, file('a/x')))).toContain('"a/x"');
    expect(await refusal(tgz(file('a/x'), link))).toContain('"a" is there twice');
    expect(await refusal(tgz(file('a'), file('a/x')))).toContain('which is a file');
    expect(await refusal(tgz(file('a'), file('./a')))).toContain('twice');
    expect(await refusal(tgz(file('a'), link))).toContain('twice');
    expect(await refusal(tgz(file('a//b'), file('a/./b')))).toContain('twice');
    expect(await refusal(tgz({ name: './', type: 'symlink', linkname: 'x' }))).toContain('root');
  });

  it('refuses a path hidden in a pax header', async () => {
    expect(await refusal(tgz({ ...file('harmless'), pax: { path: '../../evil' } }))).toContain('../../evil');
    expect(await refusal(tgz({ ...file('harmless'), pax: { path: 'a\0b' } }))).toContain(
      'control characters',
    );
    expect(
      await refusal(tgz({ name: 'l', type: 'symlink', linkname: 'ok', pax: { linkpath: '/etc' } })),
    ).toContain('absolute');
    expect(
      await refusal(tgz({ ...file('s'), pax: { 'GNU.sparse.major': '1', 'GNU.sparse.name': 'big' } })),
    ).toContain('sparse');
    expect(await refusal(tgz({ ...file('s'), pax: { size: '-5' } }))).toContain('archive');
    expect(await refusal(tgz({ ...file('s'), pax: { size: '99999999999' } }))).toMatch(/200 MB|Unexpected/);
  });

  it('refuses real sparse files', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'archive-spec-'));
    const tar = (...args: string[]) =>
      execFileSync('tar', ['-czf', '-', '--sparse', ...args, '.'], { cwd: dir });
    execFileSync('truncate', ['-s', '50M', join(dir, 'holes')]);
    writeFileSync(join(dir, 'holes'), 'x', { flag: 'a' });
    expect(await refusal(tar())).toContain('sparse');
    expect(await refusal(tar('--format=gnu'))).toMatch(/holes.*not taken/);
    rmSync(dir, { recursive: true });
  });

  it('refuses names that are not UTF-8', async () => {
    const raw = await tarOf(file('a\u00e9b'), file('zz'));
    const at = raw.indexOf('zz');
    raw.write('\xff\xfe', at, 'latin1');
    seal(raw.subarray(at, at + 512));
    expect(await refusal(gzipSync(raw))).toContain('UTF-8');
  });

  it('refuses unknown kinds and content where there can be none', async () => {
    for (const [flag, message] of [
      ['V', 'kind'],
      ['S', 'kind'],
      ['M', 'kind'],
    ] as const) {
      const raw = await tarOf(file('entry'));
      raw.write(flag, 156, 'latin1');
      seal(raw.subarray(0, 512));
      expect(await refusal(gzipSync(raw))).toContain(message);
    }
    const raw = await tarOf(file('entry'));
    raw.write('2', 156, 'latin1');
    raw.write('target', 157, 'latin1');
    seal(raw.subarray(0, 512));
    expect(await refusal(gzipSync(raw))).toContain('no content');
  });

  it('refuses entries after the end, which tar would not show', async () => {
    const first = await tarOf(file('./innocent'));
    const second = await tarOf(file('./hidden'));
    expect(await refusal(gzipSync(Buffer.concat([first, second])))).toMatch(
      /hidden.*after the archive's end/,
    );
    const noMarker = first.subarray(0, 1024);
    expect(await paths(gzipSync(Buffer.concat([noMarker, second])))).toEqual(['hidden', 'innocent']);
    expect(await refusal(gzipSync(Buffer.concat([noMarker, Buffer.alloc(512), second])))).toContain('hidden');
    expect(await refusal(gzipSync(Buffer.concat([first, Buffer.from('garbage')])))).toContain('tar archive');
    expect(await refusal(gzipSync(Buffer.concat([first, Buffer.alloc(512, 'g')])))).toContain('tar archive');
    expect(await paths(gzipSync(Buffer.concat([first, Buffer.alloc(20 * 512)])))).toEqual(['innocent']);
  });

  it('refuses damaged and cut files', async () => {
    const archive = await tgz(
      file('a', 'x'.repeat(5000)),
      file('b', Buffer.from(Array.from({ length: 9000 }, (_, i) => (i * 7919) % 251))),
    );
    for (const part of [11, 100, archive.length - 1, archive.length - 9]) {
      expect(await refusal(archive.subarray(0, part))).toContain('cut short');
    }
    const crc = Buffer.from(archive);
    crc[archive.length - 7]! ^= 1;
    expect(await refusal(crc)).toContain('damaged');
    for (const more of [
      Buffer.from('more'),
      Buffer.from('\0\0\0\0more'),
      Buffer.concat([Buffer.alloc(200_000), archive]),
    ]) {
      expect(await refusal(Buffer.concat([archive, more]))).toMatch(/bytes after the end|damaged/);
    }
    const raw = await tarOf(file('a'), file('b'));
    expect(await refusal(gzipSync(raw.subarray(0, 700)))).toContain('tar archive');
    raw[1030]! ^= 1;
    expect(await refusal(gzipSync(raw))).toContain('Invalid tar header');
  });

  it('refuses what is no .tar.gz, and says what it is', async () => {
    expect(await refusal(Buffer.from('PK\x03\x04'))).toContain('.zip');
    expect(await refusal(Buffer.from('BZh9'))).toContain('bzip2');
    expect(await refusal(await tarOf(file('a')))).toContain('not compressed');
    expect(await refusal(Buffer.from('hello'))).toContain('tar -czf');
    expect(await refusal(Buffer.alloc(0))).toContain('.tar.gz');
    expect(await refusal(gzipSync('not a tar'))).toContain('tar archive');
    expect(await refusal(gzipSync(Buffer.alloc(0)))).toContain('no files');
    expect(await refusal(tgz({ name: 'd/', type: 'directory' }))).toContain('no files');
  });

  it('takes strict base64 only', async () => {
    const good = (await tgz(file('a'))).toString('base64');
    for (const bad of [
      '',
      '!!!!',
      ` ${good}`,
      `${good}\n`,
      good.replace(/=*$/, '') + '*',
      `-${good.slice(1)}`,
      `${good.replace(/=*$/, '')}====`,
      `data:x;base64,${good}`,
    ]) {
      expect(await refusal(bad)).toMatch(/base64|bytes after/);
    }
    expect(await refusal(good.replace(/(.{76})/g, '$1\n'))).toContain('line breaks');
  });

  it('holds the limit of 10 MB to the byte', async () => {
    const most = 10 * 1024 * 1024;
    expect(await refusal(Buffer.alloc(most + 1, 1))).toContain('10 MB');
    expect(await refusal(Buffer.alloc(most + 1, 1).toString('base64'))).toContain('10 MB');
    expect(await refusal(Buffer.alloc(most, 1).toString('base64'))).toContain('.tar.gz');
  });

  it('refuses bombs', { tags: 'slow' }, async () => {
    const large = await tgz(
      { name: 'zeros', content: Buffer.alloc(100 * 1024 * 1024) },
      { name: 'more', content: Buffer.alloc(1) },
    );
    expect((await inspectArchive(large)).unpackedBytes).toBe(100 * 1024 * 1024 + 1);
    const zeros = Buffer.alloc(110 * 1024 * 1024);
    expect(await refusal(tgz(file('a', zeros), file('b', zeros)))).toContain('"b" brings');
    const many = await tgz(...Array.from({ length: 20_001 }, (_, i) => ({ name: `d/${i}` })));
    expect(await refusal(many)).toContain('20,000');
  });

  it('refuses a bomb made of headers', async () => {
    const long = await tarOf({ ...file('x'), pax: { comment: 'c'.repeat(3_000_000) } });
    const headers = long.subarray(0, long.length - 1024 - 1024);
    const archive = gzipSync(Buffer.concat(Array.from({ length: 100 }, () => headers)), { level: 1 });
    expect(await refusal(archive)).toMatch(/200 MB/);
  });
});

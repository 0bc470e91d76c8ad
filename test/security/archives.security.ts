import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Client, type GatehouseProcess, Seed, createClient } from '../../libs/testing/index.js';
import { startGatehouse } from '../support/gatehouse.js';
import { newSlug, python, run } from '../support/scripts.js';
import { pathsIn } from './support/attack.js';
import { hostileArchive, paxEntry, tarEntry } from './support/hostile-tar.js';

let gatehouse: GatehouseProcess & { databaseUrl: string };
let pool: pg.Pool;
let api: Client;
let slug: string;
/** A directory outside, at which archives aim. */
let outside: string;

/** A service of its own, so that whatever is left behind was left by an archive. */
beforeAll(async () => {
  gatehouse = await startGatehouse({ env: { GATEHOUSE_SIGNUP: 'open' } });
  pool = new pg.Pool({ connectionString: gatehouse.databaseUrl, max: 2 });
  const workspace = await new Seed(gatehouse.baseUrl, pool).workspace();
  api = createClient({ baseUrl: gatehouse.baseUrl, token: workspace.owner.token, workspace: workspace.slug });
  slug = newSlug();
  expect((await api.post('/v1/scripts', { slug, name: slug })).status).toBe(201);
  outside = await mkdtemp(join(tmpdir(), 'gatehouse-outside-'));
  await writeFile(join(outside, 'precious'), 'untouched');
});

afterAll(async () => {
  await pool?.end();
  await gatehouse?.stop();
  await rm(outside, { recursive: true, force: true });
});

/** Everything that a refused archive could have left: files on disk, rows, and what lies outside. */
async function everything(): Promise<unknown> {
  const { rows } = await pool.query(`
    SELECT (SELECT count(*) FROM script_versions) AS versions, (SELECT sum(last_version) FROM scripts) AS numbers,
      (SELECT count(*) FROM file_blobs) AS blobs, (SELECT count(*) FROM files) AS files,
      (SELECT count(*) FROM audit_events) AS audits, (SELECT count(*) FROM events) AS events`);
  const onDisk = await pathsIn(gatehouse.dataDirectory);
  // The boxes' own place has links into /proc, whose files come and go.
  const ours = onDisk.filter((path) => !path.startsWith('boxes/'));
  return [rows[0], ours.sort(), (await readdir(outside)).sort()];
}

/** Sends an archive that has to be refused, and returns why it was. */
async function refusal(archive: string): Promise<string> {
  const before = await everything();
  const { status, body, text } = await api.post(`/v1/scripts/${slug}/versions`, { archive });
  expect(status, text).toBe(400);
  expect(body.error.code).toBe('invalid_request');
  expect(body.error.details).toHaveLength(1);
  expect(body.error.details[0].path).toBe('archive');
  expect(await everything()).toEqual(before);
  return body.error.details[0].message;
}

const MAIN = tarEntry({ name: 'main.py', content: 'print("alive")' });
const file = (name: string | Buffer): Buffer => tarEntry({ name, content: 'evil' });
const symlink = (name: string, target: string): Buffer => tarEntry({ name, kind: 'symlink', target });
const link = (name: string, target: string): Buffer => tarEntry({ name, kind: 'link', target });

describe('an entry that leads out', () => {
  it.each([
    '../evil',
    '../../../../../../../../tmp/evil',
    'a/../../evil',
    './../evil',
    'a/b/../../../evil',
    '..',
    '../',
    '/etc/cron.d/evil',
    '//evil',
  ])('is refused by its name %j', async (name) => {
    expect(await refusal(hostileArchive(MAIN, file(name)))).toContain(JSON.stringify(name));
  });

  it('is refused by the name that a pax header or a long name gives it', async () => {
    const path = `${outside}/evil`;
    expect(await refusal(hostileArchive(MAIN, paxEntry({ path: '../evil' }), file('innocent')))).toContain(
      '"../evil"',
    );
    expect(await refusal(hostileArchive(MAIN, paxEntry({ path }), file('innocent')))).toContain(
      JSON.stringify(path),
    );
    const long = tarEntry({ name: '././@LongLink', kind: 'GNU long name', content: `${path}\0` });
    expect(await refusal(hostileArchive(MAIN, long, file('innocent')))).toContain(JSON.stringify(path));
  });

  it.each([
    ['/etc/passwd', 'passwd'],
    ['../outside', 'link'],
    ['../../outside', 'a/link'],
    ['a/../../outside', 'link'],
    ['/proc/self/root', 'link'],
    ['..', 'link'],
    ['', 'link'],
  ])('is refused as a symbolic link to %j', async (target, name) => {
    expect(await refusal(hostileArchive(MAIN, symlink(name, target)))).toContain(JSON.stringify(name));
  });

  it.each(['/etc/passwd', '../outside', '../../../etc/shadow', 'later', '.', 'folder', ''])(
    'is refused as a hard link to %j',
    async (target) => {
      const folder = tarEntry({ name: 'folder/', kind: 'directory' });
      expect(await refusal(hostileArchive(MAIN, folder, link('evil', target), file('later')))).toContain(
        '"evil"',
      );
    },
  );

  it('is refused where it would be written through a link', async () => {
    expect(await refusal(hostileArchive(MAIN, symlink('way', '.'), file('way/evil')))).toContain(
      '"way/evil"',
    );
    expect(await refusal(hostileArchive(MAIN, symlink('way', outside), file('way/evil')))).toContain('"way"');
    expect(await refusal(hostileArchive(MAIN, file('way/x'), symlink('way', '.')))).toContain('"way"');
    expect(await refusal(hostileArchive(MAIN, symlink('a', 'b'), link('c', 'a'), file('c')))).toMatch(
      /"[ac]"/,
    );
  });
});

describe('an entry that is there twice', () => {
  it.each([
    ['as a file', [file('twice'), file('twice')]],
    ['in other words', [file('twice'), file('./twice')]],
    ['with a slash too many', [file('a/twice'), file('a//twice')]],
    ['as a file and a link', [file('twice'), symlink('twice', 'main.py')]],
    ['as a link and a file', [symlink('twice', 'main.py'), file('twice')]],
    ['as a folder and a file', [tarEntry({ name: 'twice/', kind: 'directory' }), file('twice')]],
  ])('%s is refused', async (_, entries) => {
    expect(await refusal(hostileArchive(MAIN, ...entries))).toMatch(/twice/);
  });
});

describe('an entry of another kind', () => {
  it.each([
    'character device',
    'block device',
    'fifo',
    'GNU sparse file',
    'GNU volume',
    'GNU multi-volume',
  ] as const)('%s is refused', async (kind) => {
    expect(await refusal(hostileArchive(MAIN, tarEntry({ name: 'odd', kind })))).toContain('"odd"');
  });

  it('sparse files are refused in the pax format as well', async () => {
    const sparse = paxEntry({
      'GNU.sparse.major': '1',
      'GNU.sparse.minor': '0',
      'GNU.sparse.name': 'odd',
      'GNU.sparse.realsize': '99999999999',
    });
    expect(await refusal(hostileArchive(MAIN, sparse, file('odd')))).toContain('sparse');
  });

  it('sizes that are not those of the content are refused', async () => {
    expect(await refusal(hostileArchive(MAIN, tarEntry({ name: 'big', size: 8 ** 11 - 1 })))).toMatch(
      /big|200 MB/,
    );
    expect(await refusal(hostileArchive(MAIN, paxEntry({ size: '-1' }), file('odd')))).toMatch(/size|tar/);
    expect(await refusal(hostileArchive(MAIN, tarEntry({ name: 'short', size: 5000 })))).toMatch(
      /tar archive|cut short/,
    );
  });
});

describe('an archive that is taken', () => {
  /** What a run finds in /app: mode and type of everything, by path. */
  async function unpacked(archive: string): Promise<unknown> {
    const other = newSlug();
    await api.post('/v1/scripts', { slug: other, name: other });
    const made = await api.post(`/v1/scripts/${other}/versions`, { archive });
    expect(made.status, made.text).toBe(201);
    return (await api.post(`/v1/scripts/${other}/versions/1/runs`, {})).body.output;
  }
  const LIST = tarEntry({
    name: 'main.py',
    mode: 0o6777,
    content: `
import json, os
print(json.dumps(sorted([os.path.join(folder, name), oct(os.lstat(os.path.join(folder, name)).st_mode)]
  for folder, folders, names in os.walk(".") for name in folders + names)))`,
  });

  it('has no set-user-id bits any more, nor anything that others could write', async () => {
    const folder = tarEntry({ name: 'folder/', kind: 'directory', mode: 0o7777 });
    expect(await unpacked(hostileArchive(LIST, folder, symlink('folder/link', '../main.py')))).toEqual([
      ['./folder', '0o40755'],
      ['./folder/link', '0o120777'],
      ['./main.py', '0o100755'],
    ]);
  });

  it('has the names of its entries, whatever a global header says', async () => {
    const names = paxEntry({ path: `${outside}/evil`, linkpath: '/etc/passwd' }, 'global pax');
    expect(await unpacked(hostileArchive(names, LIST, file('innocent')))).toEqual([
      ['./innocent', '0o100644'],
      ['./main.py', '0o100755'],
    ]);
    expect(await readdir(outside)).toEqual(['precious']);
  });
});

describe('a name that is no name', () => {
  it.each([
    ['line break', 'a\nb'],
    ['escape sequence', 'a\x1b[2Jb'],
    ['DEL', 'a\x7fb'],
    ['bytes that are not UTF-8', Buffer.from([0x61, 0xff, 0xfe])],
    ['256 bytes', null],
    ['1,025 bytes in all', null],
  ])('with %s is refused', async (what, name) => {
    const path = what === '256 bytes' ? 'n'.repeat(256) : 'folder/'.repeat(147);
    const entries = name === null ? [paxEntry({ path: `${path}x` }), file('short')] : [file(name)];
    expect(await refusal(hostileArchive(MAIN, ...entries))).toMatch(/^the entry /);
  });
});

describe('a bomb', () => {
  const MiB = 1024 * 1024;

  it('of zeros is refused with the entry that was too much', async () => {
    const half = tarEntry({ name: 'half', content: Buffer.alloc(120 * MiB) });
    const archive = hostileArchive(MAIN, half, tarEntry({ name: 'straw', content: Buffer.alloc(120 * MiB) }));
    expect(archive.length).toBeLessThan(4 * MiB);
    expect(await refusal(archive)).toMatch(/"straw".*200 MB/);
  });

  it('of headers is refused', async () => {
    const headers = Array<Buffer>(90).fill(paxEntry({ comment: 'c'.repeat(3 * MiB) }));
    expect(await refusal(hostileArchive(...headers, MAIN))).toContain('200 MB');
  });

  it('of zeros after the end is refused', async () => {
    const members = [
      gzipSync(Buffer.concat([MAIN, Buffer.alloc(1024)])),
      ...Array<Buffer>(6).fill(gzipSync(Buffer.alloc(50 * MiB), { level: 1 })),
    ];
    expect(await refusal(Buffer.concat(members).toString('base64'))).toMatch(/200 MB/);
  });

  it('of 20,001 entries is refused', async () => {
    const many = Array.from({ length: 20_000 }, (_, index) => tarEntry({ name: `f${index}` }));
    expect(await refusal(hostileArchive(MAIN, ...many))).toContain('20,000');
  });

  it('of folders that only paths name is refused', async () => {
    const many = Array.from({ length: 1_000 }, (_, index) => file(`${index}/${'a/'.repeat(45)}f`));
    expect(await refusal(hostileArchive(MAIN, ...many))).toContain('20,000 folders');
  });

  it('of folders in folders is refused', async () => {
    const below = paxEntry({ path: `${'d/'.repeat(150)}x` });
    expect(await refusal(hostileArchive(MAIN, below, file('x')))).toContain('100 folders deep');
    const deep = paxEntry({ path: `${'d/'.repeat(600)}x` });
    expect(await refusal(hostileArchive(MAIN, deep, file('x')))).toContain('1024 bytes');
  });
});

describe('an archive that hides something', () => {
  it.each([
    [
      'entries after its end',
      [MAIN, Buffer.alloc(1024), file('hidden.py')],
      /hidden\.py.*after the archive's end/,
    ],
    ['text after its end', [MAIN, Buffer.alloc(1024), Buffer.alloc(512, 'x')], /tar archive|after/],
  ])('as %s is refused', async (_, parts, reason) => {
    expect(await refusal(gzipSync(Buffer.concat(parts)).toString('base64'))).toMatch(reason);
  });

  it('as bytes after the compressed data is refused', async () => {
    const bytes = Buffer.concat([Buffer.from(hostileArchive(MAIN), 'base64'), Buffer.from('more')]);
    expect(await refusal(bytes.toString('base64'))).toMatch(/after the end|damaged/);
  });
});

it('the service lives on, and takes archives as before', async () => {
  expect((await run(api, await python(api, 'print("alive")'))).body).toMatchObject({ output: 'alive' });
});

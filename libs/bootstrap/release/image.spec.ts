import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

import { extract, type Header, pack } from 'tar-stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const { normalizeImage } = (await import(
  pathToFileURL(join('libs', 'bootstrap', 'release', 'image.mjs')).href
)) as {
  normalizeImage(saved: string, made: string, options: { tag: string; epoch: number }): Promise<object>;
};

const EPOCH = Date.parse('2026-11-23T12:00:00Z') / 1000;
const OLD = new Date('2025-01-01T00:00:00Z');

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatehouse-image-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

async function layer(entries: (Partial<Header> & { name: string; text?: string })[]): Promise<Buffer> {
  const tar = pack();
  for (const { text, ...header } of entries) tar.entry(header, text ?? '');
  tar.finalize();
  return buffer(tar);
}

const base = () => layer([{ name: 'etc/', type: 'directory', mtime: OLD }]);

/** As `docker save` leaves it, of a build at this moment. */
async function saved(name: string, built: Date): Promise<string> {
  const folder = join(directory, name);
  await mkdir(folder);
  const long = `app/${'deep/'.repeat(30)}`;
  await writeFile(join(folder, 'base.tar'), await base());
  await writeFile(
    join(folder, 'own.tar'),
    await layer([
      { name: long, type: 'directory', mtime: built },
      { name: `${long}main.js`, text: 'run()', mtime: built, mode: 0o755, pax: { mtime: '1.5' } },
      { name: 'app/link', type: 'symlink', linkname: 'main.js', mtime: built },
      { name: 'app/old', text: 'old', mtime: OLD },
    ]),
  );
  const config = {
    architecture: 'amd64',
    os: 'linux',
    config: { User: '1000:1000' },
    created: built.toISOString(),
    container: built.toISOString(),
    history: [{ created: OLD.toISOString() }, { created: built.toISOString(), created_by: 'COPY' }],
    rootfs: { type: 'layers', diff_ids: ['sha256:1', 'sha256:2'] },
  };
  await writeFile(join(folder, 'config.json'), JSON.stringify(config));
  const manifest = [{ Config: 'config.json', RepoTags: ['x:1'], Layers: ['base.tar', 'own.tar'] }];
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
  return folder;
}

async function normalized(name: string, built: Date): Promise<Map<string, Buffer>> {
  const made = join(directory, `${name}-made`);
  await mkdir(made);
  await normalizeImage(await saved(name, built), made, { tag: 'gatehouse:1.0.0', epoch: EPOCH });
  const names = (await readdir(made)).sort();
  return new Map(
    await Promise.all(names.map(async (each) => [each, await readFile(join(made, each))] as const)),
  );
}

describe('an image', () => {
  it('is the same whenever it was built', async () => {
    const first = await normalized('first', new Date('2026-11-24T08:00:00Z'));
    expect(await normalized('second', new Date('2027-03-01T17:30:01Z'))).toEqual(first);
  });

  it('keeps the layers of its base, and what lies in its own', async () => {
    const made = await normalized('third', new Date('2026-11-24T08:00:00Z'));
    const [{ Layers, RepoTags }] = JSON.parse(made.get('manifest.json')!.toString());
    expect(RepoTags).toEqual(['gatehouse:1.0.0']);
    expect(made.get(Layers[0])).toEqual(await base());
    const entries: [string, string | undefined, number, string][] = [];
    const reading = extract();
    reading.end(made.get(Layers[1]));
    for await (const entry of reading) {
      const { name, type, mtime } = entry.header;
      entries.push([
        name.split('/').at(-1)!,
        type!,
        mtime!.getTime() / 1000,
        (await buffer(entry)).toString(),
      ]);
    }
    expect(entries).toEqual([
      ['', 'directory', EPOCH, ''],
      ['main.js', 'file', EPOCH, 'run()'],
      ['link', 'symlink', EPOCH, ''],
      ['old', 'file', OLD.getTime() / 1000, 'old'],
    ]);
  });
});

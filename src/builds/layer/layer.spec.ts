import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pack } from 'tar-stream';

import { linkTree } from './link-tree.js';
import { packTree } from './pack-tree.js';
import { scanTree } from './scan-tree.js';
import { unpackTree } from './unpack-tree.js';

let directory: string;
let root: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatehouse-layer-'));
  root = join(directory, 'root');
  await mkdir(join(root, '.deps/pkg'), { recursive: true });
  await writeFile(join(root, '.deps/pkg/a.py'), 'a = 1\n');
  await writeFile(join(root, '.deps/tool'), '#!/bin/sh\n', { mode: 0o755 });
  await writeFile(join(root, '.deps/empty'), '');
  await writeFile(join(root, 'main.py'), '');
});

afterEach(async () => {
  await rm(directory, { recursive: true });
});

describe('a layer', () => {
  it('comes back as it was', async () => {
    await symlink('pkg/a.py', join(root, '.deps/link'));
    const { entries, dropped } = await scanTree(root, { tops: ['.deps', 'node_modules'] });
    expect(dropped).toEqual([]);
    const bytes = await buffer(packTree(root, entries));
    expect((await buffer(packTree(root, entries))).equals(bytes)).toBe(true);

    const layer = join(directory, 'layer');
    await unpackTree(Readable.from([bytes]), layer);
    const target = join(directory, 'target');
    await mkdir(join(target, '.deps'), { recursive: true });
    await writeFile(join(target, '.deps/stale'), '');
    await writeFile(join(target, 'main.py'), 'mine');
    await linkTree(layer, target);

    expect(await readFile(join(target, '.deps/pkg/a.py'), 'utf8')).toBe('a = 1\n');
    expect((await stat(join(target, '.deps/tool'))).mode & 0o777).toBe(0o755);
    expect((await stat(join(target, '.deps/pkg/a.py'))).mode & 0o777).toBe(0o644);
    expect(await readlink(join(target, '.deps/link'))).toBe('pkg/a.py');
    expect(await readFile(join(target, 'main.py'), 'utf8')).toBe('mine');
    await expect(lstat(join(target, '.deps/stale'))).rejects.toThrow('ENOENT');
  });

  it('leaves out links that point outside, and what is no file', async () => {
    await symlink('../../../etc/shadow', join(root, '.deps/up'));
    await symlink('/etc/shadow', join(root, '.deps/absolute'));
    await symlink('/usr/../etc/shadow', join(root, '.deps/hidden'));
    await symlink('/usr/bin/python3', join(root, '.deps/python'));
    await symlink('../main.py', join(root, '.deps/inside'));
    const server = createServer().listen(join(root, '.deps/socket'));
    const { entries, dropped } = await scanTree(root);
    server.close();
    const links = entries.filter(({ kind }) => kind === 'symlink').map(({ path }) => path);
    expect(links).toEqual(['.deps/inside', '.deps/python']);
    expect(dropped).toHaveLength(4);
  });

  it('packs nothing through a link that has taken the place of a file or a folder', async () => {
    const secret = join(directory, 'secret');
    await mkdir(join(secret, 'pkg'), { recursive: true });
    await writeFile(join(secret, 'pkg/a.py'), 'secret');
    await writeFile(join(secret, 'tool'), 'secretsec\n');
    const { entries } = await scanTree(root, { tops: ['.deps'] });
    const replace = async (path: string, target: string): Promise<void> => {
      await rm(join(root, path), { recursive: true });
      await symlink(target, join(root, path));
    };
    await replace('.deps/tool', join(secret, 'tool'));
    await expect(buffer(packTree(root, entries))).rejects.toThrow('ELOOP');
    await replace('.deps/tool', join(root, 'main.py'));
    await replace('.deps/pkg', join(secret, 'pkg'));
    await expect(buffer(packTree(root, entries))).rejects.toThrow('ENOTDIR');
    await replace('.deps', secret);
    await expect(buffer(packTree(root, entries))).rejects.toThrow('ENOTDIR');
  });

  it('is not looked for behind a link', async () => {
    const secret = join(directory, 'secret');
    await mkdir(secret);
    await writeFile(join(secret, 'key'), 'secret');
    await rm(join(root, '.deps'), { recursive: true });
    await symlink(secret, join(root, '.deps'));
    await symlink('/usr/lib', join(root, 'node_modules'));
    const { entries, dropped } = await scanTree(root, { tops: ['.deps', 'node_modules'] });
    expect(entries).toEqual([{ kind: 'symlink', path: 'node_modules', target: '/usr/lib' }]);
    expect(dropped).toHaveLength(1);
    await symlink(root, join(directory, 'link'));
    await expect(scanTree(join(directory, 'link'))).rejects.toThrow('ENOTDIR');
  });

  it('leaves out names that are no text', async () => {
    await writeFile(Buffer.concat([Buffer.from(join(root, '.deps/')), Buffer.from([0xff])]), '');
    const { entries, dropped } = await scanTree(root, { tops: ['.deps'] });
    expect(entries).toHaveLength(5);
    expect(dropped).toEqual([expect.stringContaining('not UTF-8')]);
  });

  it('takes what nobody may read', async () => {
    await chmod(join(root, '.deps/pkg/a.py'), 0);
    await chmod(join(root, '.deps/pkg'), 0);
    const { entries } = await scanTree(root);
    expect(await buffer(packTree(root, entries))).not.toHaveLength(0);
  });

  it('refuses more than may be kept', async () => {
    await truncate(join(root, '.deps/empty'), 1024 ** 3 + 1);
    await expect(scanTree(root)).rejects.toThrow('it leaves more than 1 GiB');
  });

  it('fails with the error of what could not be read', async () => {
    const { entries } = await scanTree(root);
    await rm(join(root, '.deps/tool'));
    await expect(buffer(packTree(root, entries))).rejects.toThrow('ENOENT');
  });

  it.each(['../up', '/root', 'a/../../b', 'nowhere/x'])('unpacks nothing called %s', async (name) => {
    const tar = pack();
    tar.entry({ name }, 'x');
    tar.finalize();
    const bytes = gzipSync(await buffer(tar));
    await expect(unpackTree(Readable.from([bytes]), join(directory, 'layer'))).rejects.toThrow(
      /is not a path within|before its folder/,
    );
  });
});

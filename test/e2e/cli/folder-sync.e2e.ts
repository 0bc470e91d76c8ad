import { appendFile, chmod, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { file, tgz } from '../../../libs/archive/archives.fixture.js';
import type { Client, Json, TestWorkspace } from '../../../libs/testing/index.js';
import { CommandLine } from '../../support/command-line.js';
import { client, newWorkspace } from '../../support/gatehouse.js';

let installed: CommandLine;
let mine: CommandLine;
let colleague: CommandLine;
let workspace: TestWorkspace;
let api: Client;
let author: string;
let made = 0;

beforeAll(async () => {
  [installed, workspace] = await Promise.all([CommandLine.build(), newWorkspace()]);
  const other = await workspace.person('member');
  author = other.name;
  mine = installed.as(workspace.owner.token, workspace.slug);
  colleague = installed.as(other.token, workspace.slug);
  api = client({ token: workspace.owner.token, workspace: workspace.slug });
});
afterAll(() => installed?.remove());

const path = (...parts: string[]): string => join(installed.directory, ...parts);
const text = (...parts: string[]): Promise<string> => readFile(path(...parts), 'utf8');

/** A script that was pushed once, in a folder of mine and in one of a colleague. */
async function shared(files: Record<string, string> = {}) {
  const slug = `shared-${++made}`;
  await mkdir(path(slug));
  await writeFile(path(slug, 'gatehouse.yaml'), `slug: ${slug}\ncommand: python3 main.py\n`);
  const all = { 'main.py': 'a = 1\nb = 2\nc = 3\nd = 4\nprint(a)\n', ...files };
  for (const [name, content] of Object.entries(all)) await writeFile(path(slug, name), content);
  const here = mine.in(slug);
  expect(await here.run(['push'])).toMatchObject({ code: 0 });
  const theirs = `${slug}-theirs`;
  expect(await colleague.run(['pull', slug, theirs])).toMatchObject({ code: 0 });
  return { slug, here, theirs, there: colleague.in(theirs) };
}

const replace = async (file: string, from: string, to: string): Promise<void> =>
  writeFile(path(file), (await text(file)).replace(from, to));

describe('push', () => {
  it('refuses to overtake a version that the folder does not know, and names it and its author', async () => {
    const { slug, here, theirs, there } = await shared();
    await replace(`${theirs}/main.py`, 'a = 1', 'a = 10');
    expect(await there.run(['push'])).toMatchObject({ code: 0 });
    await replace(`${slug}/main.py`, 'd = 4', 'd = 40');
    const { code, stderr } = await here.run(['push']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('based on version 1')]);
    expect(stderr).toContain(`version 2 by ${author} (cli, `);
    expect(stderr).toContain('gatehouse pull');
    expect((await api.get(`/v1/scripts/${slug}`)).body.lastVersion).toBe(2);
    expect((await here.run(['push', '--dry-run'])).stderr).toContain('A push would be refused.');
  });

  it('says with --force whose work is lost', async () => {
    const { slug, here, theirs, there } = await shared();
    for (const to of ['a = 10', 'a = 11']) {
      await writeFile(path(theirs, 'main.py'), to);
      await there.run(['push']);
    }
    await replace(`${slug}/main.py`, 'd = 4', 'd = 40');
    const { code, stderr } = await here.run(['push', '--force']);
    expect([code, stderr]).toEqual([0, expect.stringContaining('Version 4 is made.')]);
    expect(stderr).toMatch(new RegExp(`version 3 by ${author}.*\\n +version 2 by ${author}`));
    expect((await here.run(['push', '--force'])).stderr).not.toContain('--force:');
  });

  it('does not take a clone for a copy of the newest version, unless it is one', async () => {
    const { slug, here } = await shared();
    await rm(path(slug, '.gatehouse'), { recursive: true });
    expect((await here.run(['push'])).stderr).toContain('Nothing has changed since version 1.');
    await rm(path(slug, '.gatehouse'), { recursive: true });
    await appendFile(path(slug, 'main.py'), 'print(b)\n');
    const { code, stderr } = await here.run(['push']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('does not say on which version it is based')]);
    expect(stderr).toMatch(/gatehouse pull.*gatehouse push --force/);
  });

  it('remembers nothing that Git would commit, sends none of it, and trusts none of another script', async () => {
    const { slug, here, theirs, there } = await shared();
    expect(await text(slug, '.gatehouse', '.gitignore')).toBe('*\n');
    await appendFile(path(slug, 'main.py'), '# more\n');
    expect((await here.run(['push', '--dry-run'])).stderr).not.toContain('.gatehouse');
    await appendFile(path(theirs, 'main.py'), '# theirs\n');
    await there.run(['push']);
    const stored = JSON.parse(await text(slug, '.gatehouse', 'base.json')) as Json;
    for (const forged of [{ ...stored, script: 'scr_other', version: 2 }, 'x', { ...stored, files: [1] }]) {
      await writeFile(path(slug, '.gatehouse', 'base.json'), JSON.stringify(forged));
      expect((await here.run(['push'])).stderr).toContain('does not say on which version');
    }
  });
});

describe('pull', () => {
  it('brings the changes of both together', async () => {
    const { slug, here, theirs, there } = await shared({ 'old.txt': 'x', 'tool.sh': 'true\n' });
    await replace(`${theirs}/main.py`, 'a = 1', 'a = 10');
    await writeFile(path(theirs, 'new.txt'), 'theirs');
    await rm(path(theirs, 'old.txt'));
    await chmod(path(theirs, 'tool.sh'), 0o755);
    expect(await there.run(['push'])).toMatchObject({ code: 0 });
    await replace(`${slug}/main.py`, 'd = 4', 'd = 40');
    await writeFile(path(slug, 'own.txt'), 'mine');
    await appendFile(path(slug, 'tool.sh'), 'false\n');

    const { code, stderr } = await here.run(['pull']);
    expect([code, stderr]).toEqual([0, expect.stringContaining('Version 2 of')]);
    for (const line of ['~ main.py', '+ new.txt', '- old.txt', '~ tool.sh']) expect(stderr).toContain(line);
    expect(await text(slug, 'main.py')).toBe('a = 10\nb = 2\nc = 3\nd = 40\nprint(a)\n');
    expect(await text(slug, 'new.txt')).toBe('theirs');
    expect(await text(slug, 'own.txt')).toBe('mine');
    expect(await text(slug, 'tool.sh')).toBe('true\nfalse\n');
    expect((await stat(path(slug, 'tool.sh'))).mode & 0o111).toBe(0o111);
    await expect(stat(path(slug, 'old.txt'))).rejects.toThrow('ENOENT');
    expect((await here.run(['push'])).stderr).toContain('Version 3 is made.');
  });

  it('leaves conflicts as Git does, which have to be brought together before a push', async () => {
    const { slug, here, theirs, there } = await shared({
      'logo.bin': 'a\0',
      'gone.txt': 'x',
      'kept.txt': 'x',
    });
    for (const [folder, word] of [
      [theirs, 'theirs'],
      [slug, 'mine'],
    ] as const) {
      await replace(`${folder}/main.py`, 'c = 3', `c = "${word}"`);
      await writeFile(path(folder, 'logo.bin'), `${word}\0`);
    }
    await writeFile(path(theirs, 'gone.txt'), 'y');
    await rm(path(theirs, 'kept.txt'));
    await rm(path(slug, 'gone.txt'));
    await writeFile(path(slug, 'kept.txt'), 'y');
    expect(await there.run(['push'])).toMatchObject({ code: 0 });

    const { code, stderr } = await here.run(['pull']);
    expect(code, stderr).toBe(1);
    for (const name of ['main.py', 'logo.bin', 'gone.txt', 'kept.txt'])
      expect(stderr).toContain(`conflict: ${name}`);
    expect(await text(slug, 'main.py')).toContain(
      '<<<<<<< this folder\nc = "mine"\n=======\nc = "theirs"\n>>>>>>> version 2\n',
    );
    expect(await text(slug, 'logo.bin')).toBe('mine\0');
    expect(await text(slug, 'logo.bin.theirs')).toBe('theirs\0');
    expect([await text(slug, 'gone.txt'), await text(slug, 'kept.txt')]).toEqual(['y', 'y']);

    for (const command of ['push', 'pull']) {
      const refused = await here.run([command]);
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('logo.bin.theirs')]);
    }
    await rm(path(slug, 'logo.bin.theirs'));
    expect((await here.run(['push'])).stderr).toContain('main.py');
    await writeFile(path(slug, 'main.py'), 'c = "both"\n');
    expect((await here.run(['push'])).stderr).toContain('Version 3 is made.');
  });

  it('takes a named version, and one that was made in the app', async () => {
    const { slug, here } = await shared();
    const archive = (await tgz(file('main.py', 'print("app")\n'))).toString('base64');
    await api.post(`/v1/scripts/${slug}/versions`, { archive, command: 'python3 main.py {name}' });
    expect(await here.run(['pull'])).toMatchObject({ code: 0 });
    expect(await text(slug, 'main.py')).toBe('print("app")\n');
    expect(await text(slug, 'gatehouse.yaml')).toContain('command: python3 main.py {name}');
    expect(await here.run(['pull', '--version', '1'])).toMatchObject({ code: 0 });
    expect(await text(slug, 'main.py')).toContain('a = 1');
    expect(await here.run(['pull', '--version', 'x'])).toMatchObject({ code: 2 });
    expect(await here.run(['pull', '--version', '9'])).toMatchObject({ code: 2 });
  });

  it('finds what a clone is based on by its content, and marks each difference where it cannot', async () => {
    const { slug, here, theirs, there } = await shared();
    await replace(`${theirs}/main.py`, 'a = 1', 'a = 10');
    await there.run(['push']);
    await rm(path(slug, '.gatehouse'), { recursive: true });
    expect(await here.run(['pull'])).toMatchObject({ code: 0 });
    expect(await text(slug, 'main.py')).toContain('a = 10');
    await rm(path(slug, '.gatehouse'), { recursive: true });
    await replace(`${slug}/main.py`, 'd = 4', 'd = 40');
    expect(await here.run(['pull'])).toMatchObject({ code: 1 });
    expect(await text(slug, 'main.py')).toContain(
      'c = 3\n<<<<<<< this folder\nd = 40\n=======\nd = 4\n>>>>>>> version 2\nprint(a)\n',
    );
  });
});

describe('status and diff', () => {
  it('say what has changed here, and what is newer there', async () => {
    const { slug, here, theirs, there } = await shared();
    expect((await here.run(['status'])).stderr).toContain('Nothing has changed here since version 1.');
    expect((await here.run(['diff'])).stdout).toBe('');
    await replace(`${theirs}/main.py`, 'a = 1', 'a = 10');
    await there.run(['push']);
    await replace(`${slug}/main.py`, 'd = 4', 'd = 40');
    await writeFile(path(slug, 'own.bin'), 'a\0');
    const { code, stderr } = await here.run(['status']);
    expect([code, stderr]).toEqual([0, expect.stringContaining('Based on version 1.')]);
    for (const words of [`version 2 by ${author}`, 'behind:', '~ main.py', '+ own.bin'])
      expect(stderr).toContain(words);
    const json = await here.run(['status', '--json']);
    expect(JSON.parse(json.stdout)).toEqual({
      slug,
      baseVersion: 1,
      newestVersion: 2,
      publishedVersion: null,
      changes: { added: ['own.bin'], changed: ['main.py'], removed: [] },
      conflicts: [],
    });
    const diff = await here.run(['diff']);
    expect(diff.stdout).toBe(
      [
        '--- a/main.py',
        '+++ b/main.py',
        '@@ -1,5 +1,5 @@',
        ' a = 1',
        ' b = 2',
        ' c = 3',
        '-d = 4',
        '+d = 40',
        ' print(a)',
        'Binary files /dev/null and b/own.bin differ',
        '',
      ].join('\n'),
    );
    const other = await here.run(['diff', '--version', '2']);
    expect(other.stdout).toContain('-a = 10\n+a = 1\n');
  });
});

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, chmod, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { file, type Item, tgz } from '../../libs/archive/archives.fixture.js';
import type { Client, TestWorkspace } from '../../libs/testing/index.js';
import { CommandLine, type Ended } from '../support/command-line.js';
import { client, newWorkspace } from '../support/gatehouse.js';

let installed: CommandLine;
let commandLine: CommandLine;
let workspace: TestWorkspace;
let api: Client;

beforeAll(async () => {
  [installed, workspace] = await Promise.all([CommandLine.build(), newWorkspace()]);
  commandLine = installed.as(workspace.owner.token, workspace.slug);
  api = client({ token: workspace.owner.token, workspace: workspace.slug });
});
afterAll(() => installed?.remove());

const path = (...parts: string[]): string => join(installed.directory, ...parts);

const git = (folder: string, ...args: string[]) => promisify(execFile)('git', args, { cwd: path(folder) });

async function scriptFolder(name: string): Promise<CommandLine> {
  await mkdir(path(name));
  await writeFile(path(name, 'gatehouse.yaml'), `slug: ${name}\ncommand: python3 main.py\n`);
  await writeFile(path(name, 'main.py'), 'print("Hello!")\n');
  return commandLine.in(name);
}

/** A program that leaves a trace where it was executed, token and all. */
async function trap(name: string): Promise<string> {
  await writeFile(path(`${name}.sh`), `#!/bin/sh\nenv > ${path(`${name}.ran`)}\n`);
  await chmod(path(`${name}.sh`), 0o755);
  return path(`${name}.sh`);
}

const pushed = (stderr: string): string[] => (stderr.match(/^\+ .*$/gm) ?? []).map((line) => line.slice(2));

describe('a folder that was cloned from a stranger', () => {
  it.each([
    ['push --dry-run', 0],
    ['push', 2],
    ['test', 2],
  ])('has none of its programs executed by %s', async (command, expected) => {
    const name = `cloned-${command.replaceAll(/\W+/g, '-')}`;
    const program = await trap(name);
    await mkdir(path(`${name}-repository`, '.git'), { recursive: true });
    await git(`${name}-repository`, 'init', '-q');
    // The folder is a bare repository itself: a clone may hold one, and git in it obeys its configuration.
    const here = await scriptFolder(`${name}-repository/${name}`);
    await writeFile(
      path(`${name}-repository`, name, 'gatehouse.yaml'),
      `slug: ${name}\ncommand: python3 main.py\n`,
    );
    await writeFile(path(`${name}-repository`, name, 'HEAD'), 'ref: refs/heads/main\n');
    const config = `[core]\nrepositoryformatversion = 0\nbare = false\nworktree = .\nfsmonitor = ${program}\n`;
    await writeFile(path(`${name}-repository`, name, 'config'), config);
    for (const below of ['objects', 'refs']) {
      await mkdir(path(`${name}-repository`, name, below));
      await writeFile(path(`${name}-repository`, name, below, 'kept'), '');
    }
    const { code, stderr } = await here.run(command.split(' '));
    // A repository is not taken as a script.
    expect(code, stderr).toBe(expected);
    expect(existsSync(path(`${name}.ran`))).toBe(false);
  });

  it('has none executed that its own repository names', async () => {
    const here = await scriptFolder('shared');
    const program = await trap('shared');
    await git('shared', 'init', '-q');
    await git('shared', 'config', 'core.fsmonitor', program);
    expect(await here.run(['push', '--dry-run'])).toMatchObject({ code: 0 });
    expect(existsSync(path('shared.ran'))).toBe(false);
  });

  it('sends no file that lies behind a link, though its repository lists it', async () => {
    const here = await scriptFolder('linking');
    await mkdir(path('private'));
    await writeFile(path('private', 'id_ed25519'), 'a private key');
    await git('linking', 'init', '-q');
    const { stdout } = await git('linking', 'hash-object', '-w', 'main.py');
    await git('linking', 'update-index', '--add', '--cacheinfo', `100644,${stdout.trim()},keys/id_ed25519`);
    await writeFile(path('linking', '.gitignore'), 'keys\n');
    await symlink('../private', path('linking', 'keys'));
    const { code, stderr } = await here.run(['push', '--dry-run']);
    expect(code, stderr).toBe(0);
    expect(pushed(stderr)).toEqual(['.gitignore', 'gatehouse.yaml', 'main.py']);
  });

  it('sends no file as its readme that it may not send', async () => {
    const here = await scriptFolder('telling');
    await git('telling', 'init', '-q');
    await writeFile(path('telling', '.env'), 'TOKEN=hidden');
    await writeFile(path('telling', '.gitignore'), 'keys/\n');
    await mkdir(path('telling', 'keys'));
    await writeFile(path('telling', 'keys', 'id_ed25519'), 'a private key');
    await symlink('keys/id_ed25519', path('telling', 'about.md'));
    for (const readme of ['.env', '.git/config', 'keys/id_ed25519', 'about.md']) {
      await writeFile(
        path('telling', 'gatehouse.yaml'),
        `slug: telling\ncommand: python3 main.py\nreadme: ${readme}\n`,
      );
      expect(await here.run(['push'])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('is not sent'),
      });
    }
    expect((await api.get('/v1/scripts/telling')).status).toBe(404);
  });

  it('holds up nobody by a pipe or a device in place of a file', async () => {
    const here = await scriptFolder('waiting');
    await promisify(execFile)('mkfifo', [path('waiting', 'README.md')]);
    expect(await here.run(['push', '--dry-run'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no file'),
    });
    await rm(path('waiting', 'gatehouse.yaml'));
    await symlink('/dev/zero', path('waiting', 'gatehouse.yaml'));
    expect(await here.run(['push', '--dry-run'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('outside'),
    });
  });

  it('is without what its worktree leaves out for this person alone', async () => {
    await scriptFolder('main-tree');
    await git('main-tree', 'init', '-q');
    await git('main-tree', 'add', '.');
    await git('main-tree', '-c', 'user.name=x', '-c', 'user.email=x@localhost', 'commit', '-qm', 'x');
    await git('main-tree', 'worktree', 'add', '-q', '../other-tree');
    await appendFile(path('main-tree', '.git', 'info', 'exclude'), 'notes.txt\n');
    await writeFile(path('other-tree', 'notes.txt'), 'private');
    const { code, stderr } = await commandLine.in('other-tree').run(['push', '--dry-run']);
    expect(code, stderr).toBe(0);
    expect(pushed(stderr)).toEqual(['gatehouse.yaml', 'main.py']);
  });

  it('costs no time by the patterns that it ignores by', async () => {
    const here = await scriptFolder('patterns');
    await writeFile(path('patterns', '.gitignore'), `${'*a'.repeat(30)}b\n`);
    await writeFile(path('patterns', 'a'.repeat(250)), '');
    expect(await here.run(['push', '--dry-run'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('.gitignore'),
    });
  });
});

const REPOSITORIES = [
  ...['.git/config', 'src/.git/hooks/pre-commit', '.GIT/config', 'a/.Git /config', '.git./config'],
  ...['.git::$INDEX_ALLOCATION/config', 'git~1/config', '.g\u200cit/config', '.git'],
];

const folder = (name: string): Item => ({ name, type: 'directory' });
const link = (name: string, linkname: string): Item => ({ name, type: 'symlink', linkname });

/** Git takes each for a repository, and obeys its `config`. */
const BARE: Record<string, Item[]> = {
  'empty folders': [file('HEAD'), file('config'), folder('objects/'), folder('refs/')],
  'folders that are links': [
    ...[file('lib/HEAD'), file('lib/config'), folder('lib/a/'), folder('lib/b/')],
    ...[link('lib/objects', 'a'), link('lib/refs', 'b')],
  ],
  'folders that lie elsewhere': [file('HEAD'), file('commondir', 'sub'), file('sub/config')],
  'other letters': [file('Head'), file('config'), folder('OBJECTS/'), folder('refs./')],
};

const archiveOf = async (...items: Item[]): Promise<Buffer> =>
  tgz({ name: './main.py', content: 'print(1)' }, ...items);

describe('a repository of Git in an archive', () => {
  it.each(REPOSITORIES)('is refused with its entry: %s', async (name) => {
    await api.post('/v1/scripts', { slug: 'with-repository', name: 'x' });
    const archive = (await archiveOf({ name, content: '[core]' })).toString('base64');
    const made = await api.post('/v1/scripts/with-repository/versions', { archive });
    expect(made).toMatchObject({ status: 400, body: { error: { details: [{ path: 'archive' }] } } });
    expect(made.body.error.details[0].message).toContain('Git');
    expect((await api.get('/v1/scripts/with-repository/versions')).body.items).toEqual([]);
  });

  it.each(Object.keys(BARE))('is refused without a `.git` as well: one with %s', async (name) => {
    await api.post('/v1/scripts', { slug: 'with-bare', name: 'x' });
    const archive = (await archiveOf(...BARE[name]!)).toString('base64');
    const made = await api.post('/v1/scripts/with-bare/versions', { archive });
    expect(made).toMatchObject({ status: 400, body: { error: { details: [{ path: 'archive' }] } } });
    expect(made.body.error.details[0].message).toContain('Git');
  });

  it('is a name like others where Git does not take it for one', async () => {
    await api.post('/v1/scripts', { slug: 'with-other-names', name: 'x' });
    const names = ['.gitignore', '.github/workflows/x.yml', 'git/config', '.gitkeep', 'a.git/config', 'HEAD'];
    const archive = (await archiveOf(...names.map((name) => ({ name, content: 'x' })))).toString('base64');
    expect(await api.post('/v1/scripts/with-other-names/versions', { archive })).toMatchObject({
      status: 201,
    });
  });

  /** What a service that means harm makes of a pull. */
  async function pulled(folder: string, archive: Buffer): Promise<Ended> {
    const service = createServer((request, response) => {
      response.setHeader('content-type', 'application/json');
      if (request.url!.endsWith('/archive')) return response.end(archive);
      const version = {
        number: 1,
        command: 'x',
        hosts: [],
        hostRules: [],
        secrets: {},
        env: [],
        published: true,
      };
      const script = { id: 'scr_1', slug: 'trap', name: 'x', description: '', lastVersion: 1 };
      return response.end(JSON.stringify(request.url!.includes('/versions') ? version : script));
    });
    await new Promise<void>((done) => service.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
    const ended = await commandLine.with({ GATEHOUSE_URL: url }).run(['pull', 'trap', folder]);
    service.close();
    return ended;
  }

  it.each([
    ['.GIT/config', file('./.GIT/config', '[core]\nfsmonitor = touch ran\n')],
    ['HEAD', ...BARE['empty folders']!],
  ])('is never written by pull, whatever a service sends: %s', async (name, ...items) => {
    const { code, stderr } = await pulled('refused', await archiveOf(...items));
    expect([code, stderr]).toEqual([1, expect.stringContaining(name)]);
    expect(await readdir(path('refused')).catch(() => [])).toEqual([]);
  });

  it('is not made by pull through a link in place of its own file', async () => {
    const { code, stderr } = await pulled('linked', await archiveOf(link('gatehouse.yaml', '.envrc')));
    expect(code, stderr).toBe(0);
    expect((await readdir(path('linked'))).sort()).toEqual(['.gatehouse', 'gatehouse.yaml', 'main.py']);
  });

  it('is not left by a pull into a folder that was made by a stranger, through a link in it', async () => {
    await mkdir(path('of-mine'));
    for (const [name, to] of [
      ['src', '../of-mine'],
      ['.gatehouse', '../of-mine'],
    ] as const) {
      const here = await scriptFolder(`linked-${name.replace('.', '')}`);
      const slug = `linked-${name.replace('.', '')}`;
      expect(await here.run(['push'])).toMatchObject({ code: 0 });
      await rm(path(slug, '.gatehouse'), { recursive: true });
      const archive = (
        await archiveOf(
          file('gatehouse.yaml', await readFile(path(slug, 'gatehouse.yaml'), 'utf8')),
          file('src/authorized_keys', 'theirs'),
          file('.gatehouse/base.json', '{}'),
        )
      ).toString('base64');
      expect((await api.post(`/v1/scripts/${slug}/versions`, { archive, command: 'true' })).status).toBe(201);
      await symlink(to, path(slug, name));
      const { code, stderr } = await here.run(['pull']);
      expect([code, stderr]).toEqual([expect.any(Number), expect.stringContaining(name)]);
      expect(code).not.toBe(0);
      expect(await readdir(path('of-mine'))).toEqual([]);
    }
  });

  it('is not written over by a pull where it is ignored here, such as a file of secrets', async () => {
    const here = await scriptFolder('with-secrets');
    expect(await here.run(['push'])).toMatchObject({ code: 0 });
    await writeFile(path('with-secrets', '.env'), 'KEY=mine');
    const archive = (
      await archiveOf(
        file('gatehouse.yaml', await readFile(path('with-secrets', 'gatehouse.yaml'), 'utf8')),
        file('.env', 'KEY=theirs'),
      )
    ).toString('base64');
    await api.post('/v1/scripts/with-secrets/versions', { archive, command: 'true' });
    const { code, stderr } = await here.run(['pull']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('.env is in the way')]);
    expect(await readFile(path('with-secrets', '.env'), 'utf8')).toBe('KEY=mine');
  });

  it('is not the only trap: pull names files that other programs obey', async () => {
    const here = await scriptFolder('traps');
    for (const [folder, file] of [
      ['.', '.envrc'],
      ['.vscode', 'tasks.json'],
      ['.husky', 'pre-commit'],
    ] as const) {
      await mkdir(path('traps', folder), { recursive: true });
      await appendFile(path('traps', folder, file), 'x');
    }
    expect(await here.run(['push', '--publish'])).toMatchObject({ code: 0 });
    const { code, stderr } = await commandLine.run(['pull', 'traps', 'traps-copy']);
    expect(code, stderr).toBe(0);
    for (const name of ['.envrc', '.vscode/tasks.json', '.husky/pre-commit']) expect(stderr).toContain(name);
    await rm(path('traps-copy'), { recursive: true });
  });
});

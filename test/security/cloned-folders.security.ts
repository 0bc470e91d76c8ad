import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, chmod, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Item, tgz } from '../../libs/archive/archives.fixture.js';
import type { Client, TestWorkspace } from '../../libs/testing/index.js';
import { CommandLine } from '../support/command-line.js';
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
  it.each(['push', 'push --dry-run', 'test'])('has none of its programs executed by %s', async (command) => {
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
    expect(code, stderr).toBe(0);
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

  it('is a name like others where Git does not take it for one', async () => {
    await api.post('/v1/scripts', { slug: 'with-other-names', name: 'x' });
    const names = ['.gitignore', '.github/workflows/x.yml', 'git/config', '.gitkeep', 'a.git/config'];
    const archive = (await archiveOf(...names.map((name) => ({ name, content: 'x' })))).toString('base64');
    expect(await api.post('/v1/scripts/with-other-names/versions', { archive })).toMatchObject({
      status: 201,
    });
  });

  it('is never written by pull, whatever a service sends', async () => {
    const archive = await archiveOf({ name: './.GIT/config', content: '[core]\nfsmonitor = touch ran\n' });
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
      const script = { slug: 'trap', name: 'x', description: '', publishedVersion: 1 };
      return response.end(JSON.stringify(request.url!.includes('/versions') ? version : script));
    });
    await new Promise<void>((done) => service.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
    const pulled = await commandLine.with({ GATEHOUSE_URL: url }).run(['pull', 'trap', 'pulled']);
    service.close();
    expect([pulled.code, pulled.stderr]).toEqual([1, expect.stringContaining('.GIT/config')]);
    expect(await readdir(path('pulled')).catch(() => [])).toEqual([]);
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

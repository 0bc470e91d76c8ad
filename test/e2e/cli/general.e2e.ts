import { execFile } from 'node:child_process';
import { copyFile, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Client, TestWorkspace } from '../../../libs/testing/index.js';
import { CommandLine } from '../../support/command-line.js';
import { baseUrl, client, newWorkspace } from '../../support/gatehouse.js';
import { isInstalled } from '../../support/is-installed.js';
import { python } from '../../support/scripts.js';

let installed: CommandLine;
let commandLine: CommandLine;
let workspace: TestWorkspace;
let api: Client;

/** Has `gatehouse lo` completed as each shell does, and prints what it offers. */
const completedBy = {
  bash: `source <(gatehouse completion bash)
    COMP_WORDS=(gatehouse lo) COMP_CWORD=1; _gatehouse; printf '%s\\n' "\${COMPREPLY[@]}"`,
  // Zsh completes on a terminal only.
  zsh: `zmodload zsh/zpty
    zpty terminal zsh -f -i
    zpty -w terminal 'source <(gatehouse completion zsh); bindkey "^I" complete-word; print REA""DY'
    zpty -r -m terminal seen '*READY*'
    zpty -w -n terminal $'gatehouse lo\\t\\t'
    zpty -r -m terminal seen '*login*logs*'
    print -r -- $seen`,
  fish: `gatehouse completion fish | source; complete -C 'gatehouse lo'`,
};

const ci = () => ({
  GATEHOUSE_URL: baseUrl(),
  GATEHOUSE_TOKEN: workspace.owner.token,
  GATEHOUSE_WORKSPACE: workspace.slug,
});

beforeAll(async () => {
  [installed, workspace] = await Promise.all([CommandLine.build(), newWorkspace()]);
  commandLine = installed.as(workspace.owner.token, workspace.slug);
  api = client({ token: workspace.owner.token, workspace: workspace.slug });
});
afterAll(() => installed?.remove());

describe('gatehouse', () => {
  it('says its version without loading anything else', async () => {
    const alone = join(installed.directory, 'alone.mjs');
    await copyFile(installed.program, alone);
    const { stdout } = await promisify(execFile)(process.execPath, [alone, '--version']);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('says what is wrong with a command line, and exits as for that', async () => {
    const wrong = await installed.run(['rnu']);
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean run?') });
    expect(await installed.run(['logs'])).toMatchObject({ code: 2 });
    expect(await installed.run(['--help'])).toMatchObject({ code: 0, stderr: '' });
  });

  it('stops when its reader has enough', async () => {
    const shell = `'${installed.program}' --help | head -1`;
    const { stdout, stderr } = await promisify(execFile)('bash', ['-c', `set -o pipefail; ${shell}`]);
    expect([stdout, stderr]).toEqual(['Usage: gatehouse [options] [command]\n', '']);
    const gone = `'${installed.program}' whoami 2> >(true)`;
    await expect(promisify(execFile)('bash', ['-c', `${gone}; sleep 0.1`])).resolves.toMatchObject({
      stderr: '',
    });
  });

  it('says that a disk is full', async () => {
    const { PATH } = process.env;
    const shell = `'${installed.program}' api GET /workspace > /dev/full`;
    const env = { PATH, ...ci() };
    await expect(promisify(execFile)('bash', ['-c', shell], { env })).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('ENOSPC'),
    });
  });

  it('says where the service is to be named', async () => {
    const nowhere = installed.with({ GATEHOUSE_TOKEN: workspace.owner.token });
    expect(await nowhere.run(['whoami'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Set GATEHOUSE_URL'),
    });
    expect(await nowhere.with({ GATEHOUSE_URL: 'http://' }).run(['whoami'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is no address'),
    });
    const short = baseUrl().replace('http://', '');
    expect(await commandLine.with({ GATEHOUSE_URL: short }).run(['whoami'])).toMatchObject({ code: 0 });
  });

  it('says which scope a token lacks, and how to come by it', async () => {
    const token = await workspace.owner.tokenWith({ scopes: ['workspace:read'] });
    expect(await installed.as(token, workspace.slug).run(['scripts', 'list'])).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(/scope scripts:read[^]*Make a token that has it/),
    });
  });

  it('says that a token is not good', async () => {
    const { code, stderr } = await installed.as('svc_pat_odd', workspace.slug).run(['scripts', 'list']);
    expect([code, stderr]).toEqual([4, expect.stringContaining('GATEHOUSE_TOKEN is not good')]);
    expect(stderr).not.toContain('svc_pat_odd');
  });
});

describe('api', () => {
  it('sends what it is told', async () => {
    const made = await commandLine.run(['api', 'post', '/scripts', '-f', 'slug=by-api', '-f', 'name=By API']);
    expect(made.code, made.stderr).toBe(0);
    expect(JSON.parse(made.stdout)).toMatchObject({ slug: 'by-api', status: 'draft' });
    const patch = ['api', 'PATCH', 'scripts/by-api', '--input', '-'];
    const patched = await commandLine.run(patch, '{"tags": ["a"]}');
    expect(JSON.parse(patched.stdout).tags).toEqual(['a']);
    const typed = await commandLine.run(['api', 'PATCH', 'scripts/by-api', '-F', 'tags=["b"]']);
    expect(JSON.parse(typed.stdout).tags).toEqual(['b']);
    const read = await commandLine.run(['api', 'GET', '/v1/scripts', '-f', 'q=by-api']);
    expect(JSON.parse(read.stdout).items).toHaveLength(1);
  });

  it('reads every page', async () => {
    for (const name of ['a', 'b', 'c']) await api.post('/v1/workspace/environments', { name });
    const args = ['api', 'GET', '/workspace/environments', '-f', 'limit=1', '--paginate'];
    expect(JSON.parse((await commandLine.run(args)).stdout)).toHaveLength(4);
  });

  it('fails as the interface does', async () => {
    expect(await commandLine.run(['api', 'GET', '/scripts/none'])).toMatchObject({ code: 2, stdout: '' });
    const guest = await workspace.person('guest');
    const asGuest = installed.as(guest.token, workspace.slug);
    expect(await asGuest.run(['api', 'GET', '/workspace/secrets'])).toMatchObject({ code: 4 });
    expect(await commandLine.run(['api', 'LOOK', '/scripts'])).toMatchObject({ code: 2 });
  });
});

describe('doctor', () => {
  it('finds everything in order', async () => {
    const { code, stdout } = await commandLine.run(['doctor']);
    expect(code, stdout).toBe(0);
    expect(stdout.split('\n').filter((line) => line.startsWith('✓'))).toHaveLength(8);
  });

  it('finds what is not, and says what to do', async () => {
    const bad = await commandLine.with({ GATEHOUSE_TOKEN: 'svc_pat_x' }).run(['doctor']);
    expect(bad.code).toBe(1);
    expect(bad.stdout).toContain('✗ sign-in');
    expect(bad.stdout).toContain('Run: gatehouse login');
    const away = await commandLine.with({ GATEHOUSE_URL: 'http://127.0.0.1:2' }).run(['doctor']);
    expect(away.stdout).toContain('✗ service: http://127.0.0.1:2 could not be reached: ECONNREFUSED.');
  });
});

describe('open', () => {
  it.each([
    [[], ''],
    [['runs'], '/runs'],
    [['keys'], '/settings/api-keys'],
    [['run_1'], '/runs/run_1'],
    [['my-script'], '/scripts/my-script'],
  ])('knows the page of %j', async (args, page) => {
    const { stdout } = await commandLine.run(['open', '--print', ...args]);
    expect(stdout).toBe(`${baseUrl()}/w/${workspace.slug}/-${page}\n`);
  });
});

describe('completion', () => {
  const complete = async (...words: string[]) =>
    (await commandLine.run(['complete', '--', ...words])).stdout.split('\n').slice(0, -1);

  it('knows commands, options and scripts', async () => {
    const { slug } = await python(api, 'print(1)');
    expect(await complete('lo')).toEqual(['login', 'logout', 'logs']);
    expect(await complete('runs', '')).toContain('watch');
    expect(await complete('runs', 'list', '--st')).toEqual(['--status']);
    expect(await complete('run', slug.slice(0, 8))).toContain(slug);
    expect(await complete('schedules', 'create', slug)).toEqual([slug]);
    expect(await complete('schedules', 'create', slug, '')).toEqual([]);
    expect(await complete('webhooks', 're')).toEqual(['request', 'redeliver']);
    expect(await complete('keys', 'create', '--bo')).toEqual(['--bound-to']);
    expect(await complete('')).not.toContain('complete');
    expect(await installed.run(['complete', '--', 'run', ''])).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it.each(Object.entries(completedBy).filter(([shell]) => isInstalled(shell)))(
    'is taken by %s',
    async (shell, script) => {
      const bin = join(installed.directory, 'bin');
      await mkdir(bin, { recursive: true });
      await symlink(installed.program, join(bin, 'gatehouse')).catch(() => undefined);
      const env = { ...process.env, PATH: `${bin}:${process.env['PATH']}` };
      const { stdout } = await promisify(execFile)(shell, ['-c', script], { env });
      expect(stdout).toMatch(/login\s+logout\s+logs/);
    },
  );

  it('is not there for other shells', async () => {
    expect((await installed.run(['completion', 'tcsh'])).code).toBe(2);
  });
});

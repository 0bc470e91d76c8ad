import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { CommandLine } from '../support/command-line.js';

const run = promisify(execFile);

const TEST = `
  import assert from 'node:assert/strict';
  import { test } from 'node:test';
  import { startGatehouse } from '@gatehouse/testing';
  import TicketsExtension from './tickets.extension.js';

  test('a ticket is opened', async () => {
    const gatehouse = await startGatehouse({ extensions: [TicketsExtension] });
    try {
      const member = gatehouse.api.as(await gatehouse.workspace.person('member'));
      assert.equal((await member.post('/v1/tickets', { title: 'Packed' })).status, 201);
      await gatehouse.waitFor('tickets.opened');
    } finally {
      await gatehouse.stop();
    }
  });`;

/** The packages as they are packed, in a folder that has nothing of the source tree. */
describe('the packages for an author of extensions', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-author-'));
    // Writes the types that are packed.
    await run(process.execPath, ['libs/bootstrap/extension-api.mjs', '--check']);
    const pack = ['pack', '.', './libs/extension', './libs/testing', '--ignore-scripts'];
    await run('npm', [...pack, '--pack-destination', folder], { maxBuffer: 2 ** 26 });
    await install('gatehouse', 'gatehouse-0.1.0.tgz');
    await install('@gatehouse/extension', 'gatehouse-extension-0.1.0.tgz');
    await install('@gatehouse/testing', 'gatehouse-testing-0.1.0.tgz');
    await linkOtherPackages();
    await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
    await cp('examples/tickets/tickets.extension.ts', join(folder, 'tickets.extension.ts'));
  }, 300_000);

  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function install(name: string, archive: string): Promise<void> {
    const target = join(folder, 'node_modules', name);
    await mkdir(target, { recursive: true });
    await run('tar', ['-xzf', join(folder, archive), '-C', target, '--strip-components=1']);
  }

  /** What npm would install of the registry. */
  async function linkOtherPackages(): Promise<void> {
    for (const name of await readdir('node_modules')) {
      if ((name.startsWith('.') && name !== '.bin') || name === '@gatehouse' || name === 'gatehouse')
        continue;
      await symlink(resolve('node_modules', name), join(folder, 'node_modules', name));
    }
  }

  it('have types that an extension compiles with', async () => {
    const options = ['--target', 'es2022', '--module', 'nodenext', '--strict', '--skipLibCheck'];
    const decorators = ['--experimentalDecorators', '--emitDecoratorMetadata'];
    const compiler = resolve('node_modules/typescript/bin/tsc');
    const loose = ['--strictPropertyInitialization', 'false', '--types', 'node'];
    const { stdout } = await run(
      process.execPath,
      [compiler, ...options, ...decorators, ...loose, 'tickets.extension.ts'],
      { cwd: folder },
    ).catch((error: { stdout: string }) => error);
    expect(stdout).toBe('');
  }, 120_000);

  it('are enough for what `gatehouse init --extension` writes, whose test passes', async () => {
    const commandLine = await CommandLine.build();
    try {
      const target = join(folder, 'my-hello');
      const made = await commandLine.run(['init', '--extension', 'say-hello', target]);
      expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining('npm test') });
      expect(await commandLine.run(['init', '--extension', 'say-hello', target])).toMatchObject({ code: 2 });
      expect(await commandLine.run(['init', '--extension', 'Say_Hello'])).toMatchObject({ code: 2 });
      await run('npm', ['test'], { cwd: target }).catch((error: { stdout: string }) =>
        expect.fail(error.stdout),
      );
    } finally {
      await commandLine.remove();
    }
  }, 180_000);

  it('start a Gatehouse in a test of node:test', async () => {
    await writeFile(join(folder, 'tickets.test.js'), TEST);
    const { stdout } = await run(process.execPath, ['--test', 'tickets.test.js'], { cwd: folder }).catch(
      (error: { stdout: string }) => error,
    );
    expect(stdout).toMatch(/# pass 1\n# fail 0|pass 1\n.*fail 0/s);
  }, 120_000);
});

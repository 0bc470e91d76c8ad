import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planRuntimes } from './runtimes.js';
import { compileInto } from './test/compiled.js';

/** Runs a shell command in a box, and prints what it printed. */
const SCRIPT = `
import { Sandbox } from './lib/index.js';
import { text } from 'node:stream/consumers';
const sandbox = await Sandbox.open();
const box = sandbox.run({ argv: ['bash', '-c', process.argv[2]], env: {}, app: process.cwd() + '/app', timeoutMs: 20000 });
const [stdout, stderr] = await Promise.all([text(box.stdout), text(box.stderr), box.exited]);
await box.dispose();
await sandbox.close();
console.log(JSON.stringify({ stdout, stderr, node: sandbox.runtimes.node }));
`;

describe('node in a folder that holds other things', () => {
  /** As somebody's `~/.local`. */
  const prefix = mkdtempSync(join(tmpdir(), 'sandbox-prefix-'));
  const node = join(prefix, 'bin/node');
  const inBox = (script: string): { stdout: string; stderr: string; node: string } => {
    const { stdout, stderr } = spawnSync(node, ['run.mjs', script], { cwd: prefix, encoding: 'utf8' });
    expect(stderr).toBe('');
    return JSON.parse(stdout) as ReturnType<typeof inBox>;
  };

  beforeAll(() => {
    for (const path of [
      'bin',
      'etc',
      'share',
      'app',
      'include/node',
      'lib/node_modules/private',
      'lib/node_modules/corepack/dist',
    ])
      mkdirSync(join(prefix, path), { recursive: true });
    try {
      linkSync(process.execPath, node);
    } catch {
      copyFileSync(process.execPath, node);
    }
    const npm = join(prefix, 'store/npm-10');
    mkdirSync(join(npm, 'bin'), { recursive: true });
    // As a package manager would have it: a link to elsewhere, where other things are, too.
    symlinkSync('../../store/npm-10', join(prefix, 'lib/node_modules/npm'));
    const program = '#!/usr/bin/env node\nconsole.log("npm", process.execPath)\n';
    for (const [path, content] of Object.entries({
      'store/npm-10/package.json': '{}',
      'store/npm-10/bin/npm-cli.js': program,
      'store/npm-10/bin/npx-cli.js': program,
      'store/private.txt': 'a-secret-of-somebody',
      'lib/node_modules/corepack/package.json': '{}',
      'lib/node_modules/corepack/dist/corepack.js': program,
      'lib/node_modules/private/private.txt': 'a-secret-of-somebody',
      'lib/private.txt': 'a-secret-of-somebody',
      'include/node/node_api.h': '',
      'bin/private.txt': 'a-secret-of-somebody',
      'share/private.txt': 'a-secret-of-somebody',
      'etc/npmrc': '//registry.example.com/:_authToken=a-secret-of-somebody',
      'private.txt': 'a-secret-of-somebody',
      'run.mjs': SCRIPT,
    }))
      writeFileSync(join(prefix, path), content, { mode: 0o755 });
    compileInto(join(prefix, 'lib'));
    chmodSync(prefix, 0o755);
  });
  afterAll(() => rmSync(prefix, { recursive: true }));

  it('is all of it that a box gets to see', () => {
    const { stdout, stderr } = inBox(
      `grep -rls a-secret-of-somebody /runtime; ls /runtime/node /runtime/node/bin /runtime/node/lib/node_modules; ls ${prefix}`,
    );
    expect(stdout.trim().split(/\s+/)).toEqual([
      ...['/runtime/node:', 'bin', 'include', 'lib', '/runtime/node/bin:', 'corepack', 'node', 'npm', 'npx'],
      ...['/runtime/node/lib/node_modules:', 'corepack', 'npm'],
    ]);
    expect(stderr).toMatch(/No such file/);
  });

  it('runs, and so do its package managers', () => {
    const {
      stdout,
      stderr,
      node: path,
    } = inBox('node -p process.execPath; npm; npx; corepack; /runtime/node/bin/npm');
    expect(path).toBe('/runtime/node/bin/node');
    expect({ stdout, stderr }).toEqual({ stdout: `${path}\n${`npm ${path}\n`.repeat(4)}`, stderr: '' });
  });

  it('is mounted file by file wherever it is', () => {
    const { binds } = planRuntimes(node);
    for (const { source } of binds) expect(prefix.startsWith(source)).toBe(false);
    const alone = join(prefix, 'node');
    linkSync(node, alone);
    expect(planRuntimes(alone)).toMatchObject({
      runtimes: { node: '/runtime/node/bin/node' },
      binds: [{ source: alone, target: '/runtime/node/bin/node' }],
    });
  });

  it('is mounted with nothing where the system has it', () => {
    expect(planRuntimes('/usr/bin/env')).toMatchObject({ binds: [], runtimes: { node: '/usr/bin/env' } });
  });
});

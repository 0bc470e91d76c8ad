import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterAll, describe, expect, it } from 'vitest';
import { SandboxUnavailable } from './box.js';
import { explainFailure, findBubblewrap } from './probe.js';
import { Sandbox } from './sandbox.js';
import { compileInto } from './test/compiled.js';

describe('a machine that cannot run boxes', () => {
  const directory = mkdtempSync(join(tmpdir(), 'sandbox-unavailable-'));
  afterAll(() => rmSync(directory, { recursive: true }));

  it('is told to install bubblewrap', () => {
    expect(() => findBubblewrap(['/nowhere/bwrap'])).toThrow(/apt-get install bubblewrap/);
  });

  it('is told to build the launcher', async () => {
    const opening = Sandbox.open({ launcherPath: '/nowhere/launcher' });
    await expect(opening).rejects.toThrow(SandboxUnavailable);
    await expect(opening).rejects.toThrow(/build-launcher\.mjs/);
  });

  it('gets the words of a launcher that fails, and no sandbox', async () => {
    const opening = Sandbox.open({ launcherPath: '/usr/bin/false', stateDirectory: directory });
    await expect(opening).rejects.toThrow(/could not prepare a box: the launcher ended \(exit code 1\)/);
    await expect(Sandbox.open({ launcherPath: '/bin/cat', stateDirectory: directory })).rejects.toThrow(
      SandboxUnavailable,
    );
    expect(readdirSync(directory)).toEqual([]);
  });

  it('is refused in a thread, whose end would be the end of its boxes', async () => {
    const index = compileInto(join(directory, 'lib'));
    const script = `import(${JSON.stringify(index)}).then(({ Sandbox }) => Sandbox.open()).catch((error) => require('node:worker_threads').parentPort.postMessage(error.message))`;
    const worker = new Worker(script, { eval: true });
    expect(await new Promise((resolve) => worker.once('message', resolve))).toMatch(/main thread/);
    await worker.terminate();
  });

  it('keeps other errors as they are', () => {
    const error = new TypeError('something else');
    expect(explainFailure(error)).toBe(error);
  });
});

describe('the launcher', () => {
  const script = join(dirname(fileURLToPath(import.meta.url)), 'build-launcher.mjs');
  const directory = mkdtempSync(join(tmpdir(), 'sandbox-build-'));
  afterAll(() => rmSync(directory, { recursive: true }));
  const build = (env?: NodeJS.ProcessEnv): ReturnType<typeof spawnSync> =>
    spawnSync(process.execPath, [script, directory], { encoding: 'utf8', env: env ?? process.env });

  it('is built once for its sources', () => {
    expect(build()).toMatchObject({ status: 0, stdout: `${join(directory, 'launcher')}\n` });
    const { mtimeMs } = statSync(join(directory, 'launcher'));
    expect(build().status).toBe(0);
    expect(statSync(join(directory, 'launcher')).mtimeMs).toBe(mtimeMs);
  });

  it('says what to install where there is no compiler', () => {
    rmSync(join(directory, 'launcher'));
    const { status, stderr } = build({ PATH: '/nowhere' });
    expect(status).toBe(1);
    expect(stderr).toContain('apt-get install gcc libc6-dev bubblewrap');
  });
});

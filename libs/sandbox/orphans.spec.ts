import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { BoxLostError } from './box.js';
import { findGroups } from './find-groups.js';
import { compileInto } from './test/compiled.js';
import { appDirectory, finish, openSandbox, runToEnd } from './test/in-box.js';
import { ownLaunchers } from './test/own-launchers.js';

/** Host processes whose command line matches; its words are separated by NUL. */
function processesLike(pattern: RegExp): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return pattern.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
      } catch {
        return false;
      }
    })
    .map(Number);
}

async function eventually(condition: () => boolean): Promise<boolean> {
  for (let attempt = 0; attempt < 3000; attempt++) {
    if (condition()) return true;
    await sleep(20);
  }
  return false;
}

describe('a worker that is killed', () => {
  const directory = mkdtempSync(join(tmpdir(), 'sandbox-orphans-'));
  const index = compileInto(join(directory, 'lib'));
  const app = appDirectory();
  afterAll(() => {
    rmSync(directory, { recursive: true });
    app.remove();
  });

  const startWorker = async (name: string, forceReduced: boolean): Promise<ReturnType<typeof spawn>> => {
    const script = `
      const { Sandbox } = await import(${JSON.stringify(index)});
      const sandbox = await Sandbox.open({ stateDirectory: ${JSON.stringify(directory)}, cgroupName: 'sandbox-orphans', forceReduced: ${forceReduced} });
      const box = sandbox.run({ argv: ['bash', '-c', 'trap "" TERM HUP INT; (setsid sleep 1000.${name} &); sleep 1000.${name}; true'], env: {}, app: ${JSON.stringify(app.path)}, timeoutMs: 0,
        network: { ports: [8443], names: [], caPem: '-----BEGIN CERTIFICATE-----' } });
      await box.started;
      for (let i = 0; i < 3; i++) sandbox.run({ argv: ['sleep', '1000.${name}'], env: {}, app: ${JSON.stringify(app.path)}, timeoutMs: 0 });
      console.log('running');
      setInterval(() => {}, 1000);`;
    const worker = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(worker.stdout, 'data');
    return worker;
  };

  it.each([false, true])('leaves no process behind (reduced: %s)', async (forceReduced) => {
    const name = `${process.pid}${forceReduced ? 1 : 2}`;
    const worker = await startWorker(name, forceReduced);
    expect(
      await eventually(() => processesLike(new RegExp(`^sleep.1000\\.${name}.$`, 's')).length === 5),
    ).toBe(true);
    worker.kill('SIGKILL');
    await once(worker, 'exit');
    expect(await eventually(() => processesLike(new RegExp(`1000\\.${name}`)).length === 0)).toBe(true);
    expect(await eventually(() => processesLike(new RegExp(directory)).length === 0)).toBe(true);
  });

  it('leaves nothing behind even when it is killed while boxes start', async () => {
    for (let round = 0; round < 5; round++) {
      const name = `${process.pid}${round + 3}`;
      const worker = await startWorker(name, false);
      await sleep(round);
      worker.kill('SIGKILL');
      await once(worker, 'exit');
      expect(
        await eventually(
          () =>
            processesLike(new RegExp(`1000\\.${name}`)).length +
              processesLike(new RegExp(directory)).length ===
            0,
        ),
      ).toBe(true);
    }
  });

  it('is cleaned up after by the next', async () => {
    const groups = findGroups('sandbox-orphans');
    const stateOf = (): string[] =>
      readdirSync(directory).filter((name) => name.startsWith('sandbox-state-'));
    expect(stateOf().length).toBeGreaterThan(0);
    if (groups) expect(readdirSync(groups.parents[0] ?? '').some((name) => name.startsWith('4'))).toBe(true);
    const next = await openSandbox({ stateDirectory: directory, cgroupName: 'sandbox-orphans' });
    expect(stateOf()).toHaveLength(1);
    await next.close();
    expect(stateOf()).toEqual([]);
    for (const parent of groups?.parents ?? []) expect(existsSync(parent)).toBe(false);
  });
});

describe('a box that is killed from outside', () => {
  const childrenOf = (pid: number): number[] =>
    readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  const PROCESSES = [
    'its launcher',
    'process 1 of the launcher',
    'bubblewrap',
    'process 1 of the box',
    'the command',
  ];

  it.each(PROCESSES.map((name, depth) => [name, depth] as const))(
    'is said to have been killed, and nothing else: %s',
    async (_, depth) => {
      const app = appDirectory();
      const sandbox = await openSandbox({ maxSlots: 1 });
      const box = sandbox.run({ argv: ['sleep', '60'], env: {}, app: app.path, timeoutMs: 0 });
      await box.started;
      const pids: number[] = [ownLaunchers()[0] ?? NaN];
      expect(
        await eventually(() => {
          while (pids.length < PROCESSES.length) {
            const [child] = childrenOf(pids.at(-1) ?? NaN);
            if (child === undefined) return false;
            pids.push(child);
          }
          return readFileSync(`/proc/${pids.at(-1)}/comm`, 'utf8') === 'sleep\n';
        }),
      ).toBe(true);
      process.kill(pids[depth] ?? NaN, 'SIGKILL');
      if (depth < 2) await expect(finish(box)).rejects.toThrow(new BoxLostError('killed by SIGKILL'));
      else
        expect(await finish(box)).toMatchObject({
          code: null,
          signal: 'SIGKILL',
          terminated: false,
          timedOut: false,
        });
      await box.dispose();
      expect(await runToEnd(sandbox, { argv: ['true'] })).toMatchObject({ code: 0 });
      await sandbox.close();
      app.remove();
    },
  );
});

describe('a launcher that is killed', () => {
  it('takes its box with it, and the run says so', async () => {
    const app = appDirectory();
    const sandbox = await openSandbox({ maxSlots: 1 });
    const name = `2000.${process.pid}`;
    const box = sandbox.run({ argv: ['sleep', name], env: {}, app: app.path, timeoutMs: 0 });
    await box.started;
    const [launcher] = ownLaunchers();
    expect(launcher).toBeGreaterThan(1);
    process.kill(launcher ?? NaN, 'SIGKILL');
    await expect(finish(box)).rejects.toThrow(BoxLostError);
    expect(await eventually(() => processesLike(new RegExp(name)).length === 0)).toBe(true);
    await box.dispose();

    const next = sandbox.run({ argv: ['true'], env: {}, app: app.path, timeoutMs: 9000 });
    expect(await finish(next)).toMatchObject({ code: 0 });
    await next.dispose();
    await sandbox.close();
    app.remove();
  });

  it('is replaced when it was idle', async () => {
    const sandbox = await openSandbox({ maxSlots: 1 });
    expect(await runToEnd(sandbox, { argv: ['true'] })).toMatchObject({ code: 0 });
    const [launcher] = ownLaunchers();
    process.kill(launcher ?? NaN, 'SIGKILL');
    expect(await eventually(() => ownLaunchers().length === 0)).toBe(true);
    await sleep(50);
    expect(await runToEnd(sandbox, { argv: ['true'] })).toMatchObject({ code: 0 });
    await sandbox.close();
  });
});

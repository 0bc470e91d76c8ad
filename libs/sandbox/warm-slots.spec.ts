import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { BoxSpec } from './box.js';
import { callOf } from './handler-call.js';
import type { Sandbox } from './sandbox.js';
import type { SandboxOptions } from './sandbox-options.js';
import { compileInto } from './test/compiled.js';
import { appDirectory, finish, openSandbox, runToEnd } from './test/in-box.js';
import type { Finished } from './test/in-box.js';
import { runServed } from './test/served.js';

let sandbox: Sandbox;
const app = appDirectory({ 'main.py': 'pass\n' });

afterEach(() => sandbox?.close());

/** Runs Python code as a script of its own. */
async function python(source: string, spec: Partial<BoxSpec> = {}): Promise<Finished> {
  const own = appDirectory({ 'main.py': source });
  try {
    return await runToEnd(sandbox, { argv: ['python3', 'main.py'], app: own.path, ...spec });
  } finally {
    own.remove();
  }
}

async function open(options: SandboxOptions = {}): Promise<void> {
  sandbox = await openSandbox({ maxSlots: 1, ...options });
}

/** Interpreters that wait for a run and descend from this process. */
function waiting(ancestor = process.pid): number[] {
  const parentOf = (pid: number): number => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    } catch {
      return 0;
    }
  };
  const isOwn = (pid: number): boolean => {
    for (let at = pid; at > 1; at = parentOf(at)) if (at === ancestor) return true;
    return false;
  };
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && commandOf(Number(name)).includes('waiting-for-its-program'))
    .map(Number)
    .filter((pid) => !commandOf(pid).startsWith('bwrap') && isOwn(pid));
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}

async function until(condition: () => boolean): Promise<void> {
  for (let attempt = 0; !condition(); attempt++) {
    if (attempt === 3000) throw new Error('it has not come to that');
    await sleep(20);
  }
}

describe('interpreters that wait for a run', () => {
  it('are of the kind that ran last, one in a slot, each for one run', async () => {
    await open();
    expect(waiting()).toEqual([]);
    expect(await python('import os; print(os.getpid())')).toMatchObject({
      startedAhead: false,
      stdout: '2\n',
    });
    for (let round = 0; round < 3; round++) {
      await until(() => waiting().length === 1);
      const [pid] = waiting();
      expect(await python('print(1)')).toMatchObject({ startedAhead: true, stdout: '1\n' });
      await until(() => !existsSync(`/proc/${pid}`));
    }
    expect(await runToEnd(sandbox, { argv: ['bash', '-c', 'echo $0'] })).toMatchObject({
      startedAhead: false,
    });
    await until(() => waiting().length === 0);
  });

  it.each([
    [
      'python3',
      'main.py',
      'import json, sys, __main__\ndef main(inputs, run):\n    return [inputs, run.word, sys.path[0]]',
    ],
    [
      'node',
      'main.mjs',
      'export default (inputs, run) => [inputs, run.word, process.argv[1].replace("/main.mjs", "")];',
    ],
  ])(
    'call a function that a file of %s exports, as those do that have not waited',
    async (name, file, source) => {
      await open();
      const own = appDirectory({ [file]: source });
      const argv = callOf([name, file], { inputs: '/app/inputs.json', word: 'told' });
      writeFileSync(join(own.path, 'inputs.json'), '{"a":1}');
      const next = (): Promise<Finished> => runToEnd(sandbox, { argv, app: own.path });
      const answer = {
        code: 0,
        stdout: expect.stringMatching(/^\[\{"a": ?1\}, ?"told", ?"\/app"\]$/),
        stderr: '',
      };
      expect(await next()).toMatchObject({ ...answer, startedAhead: false });
      await expect.poll(next).toMatchObject({ ...answer, startedAhead: true });
      own.remove();
    },
  );

  it('are as many as runs come at a time', async () => {
    await open({ maxSlots: 3, warmSlots: 3 });
    const both = async (): Promise<unknown[]> =>
      (await Promise.all([python(''), python('')])).map(({ startedAhead }) => startedAhead);
    await expect.poll(both).toEqual([true, true]);
  });

  it('can be asked for before they are ready', async () => {
    await open();
    // One that comes within moments of another's end finds none that has been started.
    const next = (): Promise<Finished> => python('print(1)');
    await expect.poll(next).toMatchObject({ startedAhead: true, stdout: '1\n' });
  });

  it('hold nothing of a run, before and after', async () => {
    await open();
    await python('', { env: { TOKEN: 'first-secret' } });
    await until(() => waiting().length === 1);
    const [pid] = waiting();
    // The fourth is the door.
    await until(() => readdirSync(`/proc/${pid}/fd`).join() === '0,1,2,3');
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
    expect(environment).not.toContain('secret');
    expect(environment).not.toContain('TOKEN');
    const { stdout } = await python('import os\nprint(dict(os.environ), open("/proc/self/maps").read())');
    expect(stdout).not.toContain('secret');
  });

  it('are replaced when they are killed', async () => {
    await open();
    await python('');
    for (let round = 0; round < 2; round++) {
      await until(() => waiting().length === 1);
      process.kill(waiting()[0] ?? NaN, 'SIGKILL');
      await until(() => waiting().length === 0);
      await sleep(50);
      expect(await python('print(1)')).toMatchObject({ code: 0, stdout: '1\n', stderr: '' });
    }
    await until(() => waiting().length === 1);
  });

  it('are given up when no run asks for them, all but one', async () => {
    await open({ maxSlots: 3, warmSlots: 3, warmInterpreters: { unusedMs: 6000 } });
    await Promise.all([python(''), python(''), python('')]);
    await until(() => waiting().length === 3);
    await until(() => waiting().length === 1);
    expect(await python('')).toMatchObject({ startedAhead: true });
  });

  it('are not there where memory is short', async () => {
    await open({ warmInterpreters: { spareBytes: 2 ** 50 } });
    for (let round = 0; round < 2; round++) expect(await python('')).toMatchObject({ startedAhead: false });
    await sleep(200);
    expect(waiting()).toEqual([]);
  });

  it('are not there if they are not wanted', async () => {
    await open({ warmInterpreters: false });
    for (let round = 0; round < 2; round++) expect(await python('')).toMatchObject({ startedAhead: false });
    await sleep(200);
    expect(waiting()).toEqual([]);
  });

  it('end with a worker that is killed', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'sandbox-warm-'));
    const index = compileInto(join(directory, 'lib'));
    const script = `
      const { Sandbox } = await import(${JSON.stringify(index)});
      const sandbox = await Sandbox.open({ stateDirectory: ${JSON.stringify(directory)}, cgroupName: 'sandbox-warm', warmInterpreters: { spareBytes: 0 } });
      const box = sandbox.run({ argv: ['python3', 'main.py'], env: {}, app: ${JSON.stringify(app.path)}, timeoutMs: 0 });
      box.stdout.resume(), box.stderr.resume();
      await box.exited;
      await box.dispose();
      console.log('over');
      setInterval(() => {}, 1000);`;
    const worker = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(worker.stdout, 'data');
    await until(() => waiting(worker.pid).length === 1);
    const [pid] = waiting(worker.pid);
    worker.kill('SIGKILL');
    await once(worker, 'exit');
    await until(() => !existsSync(`/proc/${pid}`));
    await openSandbox({ stateDirectory: directory, cgroupName: 'sandbox-warm' }).then((next) => next.close());
    rmSync(directory, { recursive: true });
  });
});

describe('a run whose interpreter was there before it', () => {
  const warm = async (options: SandboxOptions = {}): Promise<void> => {
    await open(options);
    await python('');
    await until(() => waiting().length === 1);
  };

  it.each([false, true])('has the limits of any other (reduced: %s)', async (forceReduced) => {
    await warm({ forceReduced, warmInterpreters: { restMs: 0 } });
    const memory = await python('x = bytearray(1100 << 20)\nprint(len(x))', { limits: {} });
    expect(memory.startedAhead).toBe(true);
    expect(memory.stdout).toBe('');
    if (!forceReduced) expect(memory).toMatchObject({ outOfMemory: true, signal: 'SIGKILL' });
    await until(() => waiting().length === 1);
    const files = await python('f = [open("/dev/null") for _ in range(2000)]');
    expect(files.stderr).toContain('Too many open files');
    await until(() => waiting().length === 1);
    const processes = await python(
      'import os, time\nn = 0\ntry:\n    while n < 500:\n        if os.fork() == 0: time.sleep(9); os._exit(0)\n        n += 1\nexcept BlockingIOError: pass\nprint(n < 130)',
    );
    expect(processes).toMatchObject({ startedAhead: true, stdout: 'True\n' });
  });

  it('is stopped at its time', async () => {
    await warm();
    const exit = await python('import time\nprint("before", flush=True)\ntime.sleep(60)', {
      timeoutMs: 2_000,
    });
    expect(exit).toMatchObject({ startedAhead: true, timedOut: true, signal: 'SIGTERM', stdout: 'before\n' });
  });

  it('is killed at once, whenever that is', async () => {
    await warm();
    for (const delay of [0, 1, 3, 10, 30]) {
      const box = sandbox.run({ argv: ['python3', 'main.py'], env: {}, app: app.path, timeoutMs: 0 });
      await sleep(delay);
      box.kill();
      await finish(box);
      await box.dispose();
    }
    expect(await python('print(1)')).toMatchObject({ code: 0, stdout: '1\n' });
  });

  it('reaches its hosts, and is not let go before they are served', async () => {
    await warm({ warmInterpreters: { restMs: 0 } });
    const code =
      'import urllib.request\nprint(urllib.request.urlopen("https://api.example.com/x", timeout=5).read().decode(), end="")';
    for (let round = 0; round < 3; round++) {
      await until(() => waiting().length === 1);
      const own = appDirectory({ 'main.py': code });
      const { stdout, stderr, startedAhead } = await runServed(sandbox, {
        argv: ['python3', 'main.py'],
        app: own.path,
      });
      own.remove();
      expect({ stdout, stderr }).toEqual({ stdout: 'hello api.example.com/x 443\n', stderr: '' });
      expect(startedAhead).toBe(true);
    }
  });

  it('says so when a directory cannot be read or is not there', async () => {
    await warm();
    const closed = mkdtempSync(join(tmpdir(), 'sandbox-closed-'));
    const run = (at: string): Promise<Finished> =>
      runToEnd(sandbox, { argv: ['python3', 'main.py'], app: at });
    if (process.getuid?.() === 0) await expect(run(closed)).rejects.toThrow(/chmod -R a\+rX/);
    await expect(run('/no/such/app')).rejects.toThrow(
      /cannot bring into the box \/app: No such file or directory$/,
    );
    rmSync(closed, { recursive: true });
    expect(await python('print(1)')).toMatchObject({ code: 0, stdout: '1\n' });
  });

  it('leaves its files where any other does', async () => {
    await warm();
    const own = appDirectory({ 'main.py': 'open("/outputs/a.txt", "w").write("abc")' });
    const box = sandbox.run({ argv: ['python3', 'main.py'], env: {}, app: own.path, timeoutMs: 9000 });
    expect(await finish(box)).toMatchObject({ code: 0, startedAhead: true });
    const paths: string[] = [];
    for await (const { path } of box.outputs()) paths.push(path);
    await box.dispose();
    own.remove();
    expect(paths).toEqual(['a.txt']);
    expect(await python('import os; print(os.listdir("/outputs"))')).toMatchObject({ stdout: '[]\n' });
  });
});

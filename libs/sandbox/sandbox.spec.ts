import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BoxStartError } from './box.js';
import type { Sandbox } from './sandbox.js';
import { appDirectory, bash, finish, openSandbox, python, runToEnd } from './test/in-box.js';

describe('a command in a box', () => {
  let sandbox: Sandbox;
  const app = appDirectory({ 'main.py': 'print("from the app")', 'note.txt': 'a note' });
  beforeAll(async () => {
    sandbox = await openSandbox({ warmSlots: 2 });
  });
  afterAll(async () => {
    await sandbox.close();
    app.remove();
  });

  it('is found where it is on the PATH of a box, and nowhere else', async () => {
    expect(await sandbox.finds('python3')).toBe(true);
    expect(await sandbox.finds('sh')).toBe(true);
    for (const name of ['no-such-program', '-v', '$(true)']) expect(await sandbox.finds(name)).toBe(false);
  });

  it.each([0, 1, 3, 42, 127, 128, 255])('ends with exit code %i', async (code) => {
    const exit = await runToEnd(sandbox, { argv: bash(`exit ${code}`) });
    expect(exit).toMatchObject({
      code,
      signal: null,
      timedOut: false,
      terminated: false,
      outOfMemory: false,
    });
  });

  it.each(['SIGKILL', 'SIGTERM', 'SIGSEGV', 'SIGABRT'])('ends with signal %s', async (signal) => {
    const exit = await runToEnd(sandbox, { argv: bash(`kill -${signal.slice(3)} $$`) });
    expect(exit).toMatchObject({ code: null, signal, terminated: false });
  });

  it('keeps the two outputs apart and complete', async () => {
    const script = 'import sys; sys.stdout.write("o" * 300000); sys.stderr.write("e" * 200000)';
    const { stdout, stderr } = await runToEnd(sandbox, { argv: python(script) });
    expect(stdout).toBe('o'.repeat(300_000));
    expect(stderr).toBe('e'.repeat(200_000));
  });

  it('finds the app in /app, its working directory, and the inputs in /inputs', async () => {
    const inputs = appDirectory({ 'a.csv': '1,2' });
    const { stdout } = await runToEnd(sandbox, {
      argv: bash('pwd; python main.py; cat note.txt; cat /inputs/a.csv; ls / | tr "\\n" " "'),
      app: app.path,
      inputs: inputs.path,
    });
    inputs.remove();
    expect(stdout).toContain('/app\nfrom the app\na note1,2');
    expect(stdout).not.toContain('root');
  });

  it('brings directories into the box that lie where its user could not go', async () => {
    const closed = mkdtempSync(join(tmpdir(), 'sandbox-closed-'));
    const inner = appDirectory({ 'main.sh': 'echo inside' });
    const moved = join(closed, 'app');
    const { renameSync } = await import('node:fs');
    renameSync(inner.path, moved);
    chmodSync(closed, 0o700);
    const { stdout } = await runToEnd(sandbox, { argv: ['bash', 'main.sh'], app: moved });
    rmSync(closed, { recursive: true });
    expect(stdout).toBe('inside\n');
  });

  it('has an empty standard input', async () => {
    expect((await runToEnd(sandbox, { argv: bash('cat; echo done') })).stdout).toBe('done\n');
  });

  it('lets a script open its outputs anew', async () => {
    const { stdout, stderr } = await runToEnd(sandbox, {
      argv: bash('echo a > /dev/stdout; echo b > /dev/stderr'),
    });
    expect([stdout, stderr]).toEqual(['a\n', 'b\n']);
  });

  it('runs the node of this machine, the system python, and bash', async () => {
    const { stdout } = await runToEnd(sandbox, {
      argv: bash(
        'node -p process.version; readlink -f "$(command -v python3)"; python -c "import sys; print(sys.prefix)"',
      ),
    });
    const [version, interpreter, prefix] = stdout.trim().split('\n');
    const node = process.env['GATEHOUSE_NODE'] ?? process.execPath;
    expect(version).toBe(execFileSync(node, ['-p', 'process.version'], { encoding: 'utf8' }).trim());
    expect(interpreter).toMatch(/^\/usr\//);
    expect(prefix).toBe('/usr');
    expect(sandbox.runtimes.python).toBe('/usr/bin/python3');
  });

  it('gives the environment as it is told, however large or strange', async () => {
    const env = { A: 'line\nbreak "quoted" \\ $HOME', EMPTY: '', LONG: 'x'.repeat(100_000), HOME: '/app' };
    const { stdout } = await runToEnd(sandbox, {
      argv: python('import os, json; print(json.dumps(dict(os.environ)))'),
      env,
    });
    expect(JSON.parse(stdout)).toMatchObject(env);
  });

  it('stops after the time-out, and keeps what was said until then', async () => {
    const exit = await runToEnd(sandbox, { argv: bash('echo before; sleep 60'), timeoutMs: 2_000 });
    expect(exit).toMatchObject({ signal: 'SIGTERM', timedOut: true, terminated: true, stdout: 'before\n' });
  });

  it('lets no time pass while its clock is held', async () => {
    const box = sandbox.run({
      argv: bash('echo ready; sleep 3; echo there; sleep 60'),
      env: {},
      app: app.path,
      timeoutMs: 2_000,
    });
    await box.started;
    box.holdClock(true);
    let text = '';
    box.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await expect.poll(() => text).toBe('ready\nthere\n');
    box.holdClock(false);
    const exit = await finish(box);
    await box.dispose();
    expect(exit).toMatchObject({ timedOut: true });
    expect(exit.durationMs).toBeGreaterThanOrEqual(4_000);
  });

  it('kills what ignores SIGTERM once the grace is over', async () => {
    const exit = await runToEnd(sandbox, {
      argv: bash('trap "" TERM; echo ready; while true; do sleep 0.1; done'),
      timeoutMs: 2_000,
      graceMs: 300,
    });
    expect(exit).toMatchObject({ signal: 'SIGKILL', timedOut: true, terminated: true });
    expect(exit.durationMs).toBeGreaterThanOrEqual(2_290);
  });

  it('gives a script the grace to end well', async () => {
    const exit = await runToEnd(sandbox, {
      argv: bash('trap "echo bye; exit 5" TERM; while true; do sleep 0.05; done'),
      timeoutMs: 2_000,
    });
    expect(exit).toMatchObject({ code: 5, signal: null, timedOut: true, stdout: 'bye\n' });
  });

  it('terminates on request, repeatedly and at any time', async () => {
    const box = sandbox.run({ argv: ['sleep', '60'], env: {}, app: app.path, timeoutMs: 0 });
    box.terminate();
    box.terminate();
    const exit = await finish(box);
    box.terminate();
    await box.dispose();
    expect(exit).toMatchObject({ timedOut: false, terminated: true });
  });

  it('kills at once', async () => {
    const box = sandbox.run({ argv: bash('trap "" TERM; sleep 60'), env: {}, app: app.path, timeoutMs: 0 });
    await box.started;
    box.kill();
    expect(await finish(box)).toMatchObject({ signal: 'SIGKILL', terminated: true });
    await box.dispose();
  });

  it('ends every process with the command, daemons included', async () => {
    const script = bash(
      `(setsid bash -c 'trap "" TERM HUP; exec 1>&- 2>&-; sleep 999.${process.pid}' &) ; (setsid sleep 998.${process.pid} &); echo up`,
    );
    const box = sandbox.run({ argv: script, env: {}, app: app.path, timeoutMs: 20_000 });
    expect(await finish(box)).toMatchObject({ code: 0, stdout: 'up\n' });
    const { execFileSync } = await import('node:child_process');
    expect(execFileSync('ps', ['axo', 'args'], { encoding: 'utf8' })).not.toMatch(
      new RegExp(`sleep 99[89]\\.${process.pid}$`, 'm'),
    );
    await box.dispose();
  });

  it('says what is wrong when the command cannot be started', async () => {
    await expect(runToEnd(sandbox, { argv: ['no-such-program'] })).rejects.toThrow(BoxStartError);
    await expect(runToEnd(sandbox, { argv: ['true'], app: '/no/such/app' })).rejects.toThrow(
      /cannot bring into the box \/app: No such file or directory$/,
    );
    await expect(
      runToEnd(sandbox, { argv: ['true'], extraRoBinds: [{ source: '/usr', target: '/nowhere' }] }),
    ).rejects.toThrow(/no place for \/nowhere/);
    expect(() => sandbox.run({ argv: ['true'], env: { 'A=B': '' }, app: '/', timeoutMs: 1 })).toThrow(
      TypeError,
    );
    expect(() => sandbox.run({ argv: [], env: {}, app: '/', timeoutMs: 1 })).toThrow(TypeError);
    expect((await runToEnd(sandbox, { argv: ['true'] })).code).toBe(0);
  });

  it.runIf(process.getuid?.() === 0)('says so when a directory cannot be read by others', async () => {
    const closed = mkdtempSync(join(tmpdir(), 'sandbox-closed-'));
    await expect(runToEnd(sandbox, { argv: ['true'], app: closed })).rejects.toThrow(
      'the box could not start: /app is not readable for other users (chmod -R a+rX)',
    );
    rmSync(closed, { recursive: true });
  });

  it('mounts further files over those of the box', async () => {
    const extra = appDirectory({ hosts: '127.0.0.1 api.example.com\n' });
    const { stdout } = await runToEnd(sandbox, {
      argv: bash('cat /etc/hosts; echo no >> /etc/hosts; getent hosts api.example.com'),
      extraRoBinds: [{ source: join(extra.path, 'hosts'), target: '/etc/hosts' }],
    });
    extra.remove();
    expect(stdout).toContain('127.0.0.1       api.example.com');
  });

  it('leaves nothing of one run to the next in the same slot', async () => {
    const leave =
      'echo x > /tmp/left; echo x > /dev/shm/left; echo x > /outputs/left; ipcmk -Q >/dev/null; ls /proc/self/ns -l';
    const look = 'ls -A /tmp /dev/shm /outputs; ipcs -q | grep -c 0x';
    for (let run = 0; run < 3; run++) {
      await runToEnd(sandbox, { argv: bash(leave) });
      expect((await runToEnd(sandbox, { argv: bash(look) })).stdout).not.toMatch(/left|[1-9]/);
    }
  });

  it('runs many at a time, more than there are slots', async () => {
    const few = await openSandbox({ warmSlots: 0, maxSlots: 3 });
    const results = await Promise.all(
      Array.from({ length: 12 }, (_, index) => runToEnd(few, { argv: bash(`echo ${index}; exit ${index}`) })),
    );
    const limited = await runToEnd(few, { argv: bash('ulimit -n'), limits: { openFiles: 77 } });
    await few.close();
    expect(results.map(({ code, stdout }) => [code, stdout])).toEqual(
      Array.from({ length: 12 }, (_, index) => [index, `${index}\n`]),
    );
    expect(limited.stdout).toBe('77\n');
  });
});

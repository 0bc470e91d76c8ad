import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

interface Lock {
  packages: Record<string, LockedPackage>;
}
interface LockedPackage {
  version?: string;
  integrity?: string;
  optional?: boolean;
  optionalDependencies?: Record<string, string>;
}

// These modules run before anything is installed or compiled, so they are plain JavaScript.
const load = async <T>(name: string): Promise<T> =>
  (await import(pathToFileURL(join('libs', 'bootstrap', name)).href)) as T;
const { matchesLock } = await load<{ matchesLock(lock: Lock, installed: Lock): boolean }>('packages.mjs');
const { fingerprint } = await load<{ fingerprint(base: string, paths: string[]): string }>('freshness.mjs');

describe('matchesLock', () => {
  const lock: Lock = {
    packages: {
      '': {},
      'node_modules/a': { version: '1.0.0', integrity: 'x' },
      'node_modules/for-another-platform': { version: '1.0.0', integrity: 'y', optional: true },
    },
  };

  it('accepts a tree without the packages of other platforms', () => {
    expect(matchesLock(lock, { packages: { 'node_modules/a': { version: '1.0.0', integrity: 'x' } } })).toBe(
      true,
    );
  });

  it('accepts a tree of an earlier version of our own packages, which are links', () => {
    const own = (version: string): Lock => ({ packages: { 'libs/cli': { version } } });
    expect(matchesLock(own('1.1.0'), own('1.0.0'))).toBe(true);
    expect(matchesLock(own('1.1.0'), { packages: {} })).toBe(false);
  });

  it.each([
    ['a package is missing', {}],
    ['a version differs', { 'node_modules/a': { version: '1.0.1', integrity: 'x' } }],
    ['the content differs', { 'node_modules/a': { version: '1.0.0', integrity: 'z' } }],
    [
      'there is one too many',
      { 'node_modules/a': { version: '1.0.0', integrity: 'x' }, 'node_modules/b': { version: '1.0.0' } },
    ],
  ])('refuses a tree where %s', (_, packages) => {
    expect(matchesLock(lock, { packages })).toBe(false);
  });
});

describe('package-lock.json', () => {
  it('knows the packages of every platform: `npm ci` refuses it otherwise', () => {
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock;
    const known = new Set(Object.keys(packages).map((path) => path.split('node_modules/').at(-1)));
    const missing = Object.values(packages).flatMap(({ optionalDependencies = {} }) =>
      Object.keys(optionalDependencies).filter((name) => !known.has(name)),
    );
    expect(missing).toEqual([]);
  });
});

describe('fingerprint', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'gatehouse-freshness-'));
    mkdirSync(join(directory, 'src', 'node_modules'), { recursive: true });
    writeFileSync(join(directory, 'src', 'a.ts'), '1');
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it('changes when a file is changed, added or removed, and only then', () => {
    const of = () => fingerprint(directory, ['src', 'missing.json']);
    const first = of();
    writeFileSync(join(directory, 'src', 'node_modules', 'x.js'), '');
    expect(of()).toBe(first);
    utimesSync(join(directory, 'src', 'a.ts'), 1, 1);
    const touched = of();
    expect(touched).not.toBe(first);
    writeFileSync(join(directory, 'src', 'b.ts'), '');
    expect(of()).not.toBe(touched);
    rmSync(join(directory, 'src', 'b.ts'));
    expect(of()).toBe(touched);
    writeFileSync(join(directory, 'missing.json'), '');
    expect(of()).not.toBe(touched);
  });
});

describe('mergeSignalsFromNpm', () => {
  it('makes one of a signal and its echo, and leaves a second one a second', async () => {
    const program = `
      import { mergeSignalsFromNpm } from './libs/bootstrap/signals.mjs';
      mergeSignalsFromNpm();
      const times = [0, 20, 520, 540, 1040];
      performance.now = () => {
        console.log('signal');
        return times.shift();
      };
      let count = 0;
      process.on('SIGINT', () => (count += 1));
      process.on('SIGTERM', () => { console.log(count); process.exit(); });
      console.log('listening');
      setInterval(() => undefined, 1000);
    `;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program]);
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await expect.poll(() => output).toContain('listening');
    for (let signals = 1; signals <= 4; signals++) {
      child.kill('SIGINT');
      await expect.poll(() => output).toBe(`listening\n${'signal\n'.repeat(signals)}`);
    }
    child.kill('SIGTERM');
    await once(child, 'close');
    expect(output).toBe(`listening\n${'signal\n'.repeat(5)}2\n`);
  });
});

describe('keepRunning', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'gatehouse-keep-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  /** Runs a program that knows how often it has been started, counted from 1, as `start`. */
  function keep(program: string) {
    const path = join(directory, 'program.mjs');
    writeFileSync(
      path,
      `import { appendFileSync, readFileSync } from 'node:fs';
       appendFileSync('${directory}/starts', process.pid + '\\n');
       const start = readFileSync('${directory}/starts', 'utf8').trim().split('\\n').length;
       ${program}`,
    );
    const source = `
      const { keepRunning } = await import('./libs/bootstrap/keep.mjs');
      process.exitCode = await keepRunning('${path}', { firstWaitMs: 20 });
    `;
    const child = spawn(process.execPath, ['--input-type=module', '-e', source]);
    const kept = { child, output: '', ended: once(child, 'close') as Promise<[number]> };
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (kept.output += chunk.toString()));
    return kept;
  }
  const starts = (): number[] =>
    readFileSync(join(directory, 'starts'), 'utf8').trim().split('\n').map(Number);

  it('starts the program again after a crash, later each time, and says so', async () => {
    const kept = keep(`
      if (start === 1) process.abort();
      if (start === 2) process.kill(process.pid, 'SIGKILL');
      if (start === 3) process.exit(70);
      process.exit(0);
    `);
    expect(await kept.ended).toEqual([0, null]);
    expect(kept.output.match(/Gatehouse .*/g)).toEqual([
      'Gatehouse was ended by SIGABRT. It is started again in 0.02 s.',
      'Gatehouse was ended by SIGKILL. It is started again in 0.04 s.',
      'Gatehouse ended with exit code 70. It is started again in 0.08 s.',
    ]);
    expect(starts()).toHaveLength(4);
  });

  it('does not start again what has refused to start', async () => {
    const kept = keep(`console.error('PORT must be a number'); process.exit(1);`);
    expect(await kept.ended).toEqual([1, null]);
    expect(kept.output).toBe('PORT must be a number\n');
    expect(starts()).toHaveLength(1);
  });

  it('passes signals on, and ends with the program', async () => {
    const kept = keep(`
      process.on('SIGINT', () => console.log('SIGINT'));
      process.on('SIGTERM', () => { console.log('SIGTERM'); process.exit(0); });
      setInterval(() => undefined, 1000);
      console.log('listening');
    `);
    await expect.poll(() => kept.output).toContain('listening');
    kept.child.kill('SIGINT');
    await expect.poll(() => kept.output).toContain('SIGINT');
    kept.child.kill('SIGTERM');
    expect(await kept.ended).toEqual([0, null]);
    expect(kept.output).toBe('listening\nSIGINT\nSIGTERM\n');
  });

  it('lets the program know when it is killed itself', async () => {
    const kept = keep(`process.once('disconnect', () => process.exit(0)); console.log('listening');`);
    await expect.poll(() => kept.output).toContain('listening');
    kept.child.kill('SIGKILL');
    // Its streams are the program's as well, so they close when that has ended.
    await kept.ended;
  });
});

describe('ensureSystemTools', () => {
  it('says in one command what to install where it may not', async () => {
    const program = `
      const { run } = await import('./libs/bootstrap/project.mjs');
      const { ensureSystemTools } = await import('./libs/bootstrap/system-tools.mjs');
      await run(() => ensureSystemTools({ building: true }));
    `;
    const env = { PATH: '/nowhere' };
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], { env });
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number];
    expect(code).toBe(1);
    expect(output).toMatch(/bubblewrap.*gcc/);
    expect(output).not.toContain('    at ');
  });
});

describe('together', () => {
  /** Runs steps in a program of its own, which prints `slow` once the slow one has ended. */
  async function failWith(steps: string) {
    const program = `
      const { Obstacle, run } = await import('./libs/bootstrap/project.mjs');
      const { together } = await import('./libs/bootstrap/together.mjs');
      const slow = new Promise((resolve) => setImmediate(resolve)).then(() => console.error('slow'));
      await run(() => together([slow, ${steps}]));
    `;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program]);
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number];
    return { code, output };
  }

  it('shows an obstacle once, after all steps have ended', async () => {
    const tools = `Promise.reject(new Obstacle('no tools'))`;
    const { code, output } = await failWith(`...((tools) => [tools, tools.then(() => 1)])(${tools})`);
    expect(code).toBe(1);
    expect(output).toBe('slow\n\nno tools\n\n');
  });

  it('shows every obstacle', async () => {
    const { output } = await failWith(`Promise.reject(new Obstacle('a')), Promise.reject(new Obstacle('b'))`);
    expect(output).toBe('slow\n\na\n\nb\n\n');
  });

  it('does not hide an error of the program behind an obstacle', async () => {
    const { output } = await failWith(
      `Promise.reject(new Obstacle('a')), Promise.reject(new TypeError('b'))`,
    );
    expect(output).toContain('TypeError: b');
  });
});

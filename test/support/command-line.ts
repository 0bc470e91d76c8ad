import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import { inject } from 'vitest';

import { baseUrl } from './gatehouse.js';

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Once for all files of a test process; it goes with the suite's data directory. */
let built: Promise<string> | undefined;

async function buildProgram(): Promise<string> {
  const directory = join(inject('dataDirectory'), `command-line-${process.pid}`);
  await promisify(execFile)(process.execPath, [join('libs', 'cli', 'build.mjs'), directory]);
  return join(directory, 'gatehouse.mjs');
}

/** The command line as it is installed, for one user of a machine. */
export class CommandLine {
  private constructor(
    readonly program: string,
    readonly directory: string,
    private readonly env: Record<string, string>,
    private readonly cwd = directory,
  ) {}

  static async build(): Promise<CommandLine> {
    built ??= buildProgram();
    const directory = await mkdtemp(join(tmpdir(), 'gatehouse-cli-'));
    return new CommandLine(await built, directory, { XDG_CONFIG_HOME: join(directory, 'config') });
  }

  /** With other settings from the environment, as in CI. */
  with(env: Record<string, string>): CommandLine {
    return new CommandLine(this.program, this.directory, { ...this.env, ...env }, this.cwd);
  }

  /** In a folder below its own. */
  in(folder: string): CommandLine {
    return new CommandLine(this.program, this.directory, this.env, join(this.directory, folder));
  }

  /** The same user of the same service, with this token. */
  as(token: string, workspace: string): CommandLine {
    return this.with({
      GATEHOUSE_URL: baseUrl(),
      GATEHOUSE_TOKEN: token,
      GATEHOUSE_WORKSPACE: workspace,
    });
  }

  /** Without a terminal, as a program calls it. */
  run(args: string[], input = ''): Promise<Ended> {
    return this.start(args, input).ended;
  }

  /** The same, while it runs. */
  start(args: string[], input = '') {
    const child = spawn(this.program, args, this.options());
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.stdin.end(input);
    const ended = new Promise<Ended>((done) => child.once('close', (code) => done({ code, stdout, stderr })));
    return { ended, child, stderr: () => stderr };
  }

  /** In a pseudo-terminal, where a person types. */
  terminal(args: string[]): Terminal {
    const words = [this.program, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
    return new Terminal(spawn('script', ['-qfec', `exec ${words.join(' ')}`, '/dev/null'], this.options()));
  }

  remove(): Promise<void> {
    return rm(this.directory, { recursive: true, force: true });
  }

  private options() {
    const { PATH, HOME } = process.env;
    // No browser: `true` takes any address.
    const env = { PATH, HOME, TERM: 'xterm', BROWSER: 'true', ...this.env };
    return { cwd: this.cwd, env, stdio: 'pipe' as const };
  }
}

const ESCAPES = /\x1b\[[0-9;?]*[A-Za-z]/g;

export class Terminal {
  private output = '';
  readonly ended: Promise<number | null>;

  constructor(private readonly child: ReturnType<typeof spawn>) {
    child.stdout!.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.ended = new Promise((done) => child.once('close', done));
  }

  /** All that was on the screen, as text. */
  get text(): string {
    return this.output.replaceAll(ESCAPES, '').replaceAll('\r\n', '\n');
  }

  /** With what makes colours and moves the cursor. */
  get raw(): string {
    return this.output;
  }

  async shows(text: string | RegExp): Promise<void> {
    const deadline = Date.now() + 60_000;
    while (typeof text === 'string' ? !this.text.includes(text) : !text.test(this.text)) {
      if (Date.now() > deadline) throw new Error(`Not on the screen: ${String(text)}\n${this.text}`);
      await sleep(50);
    }
  }

  type(keys: string): void {
    this.child.stdin!.write(keys);
  }
}

export const CTRL_C = '\x03';
export const ENTER = '\r';

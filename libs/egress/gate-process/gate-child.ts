import { type ChildProcess, type SendHandle, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { finished, type Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { trustFlags } from '../trust.js';
import type { Order, Report } from './protocol.js';
import { REPORTS_FD } from './protocol.js';
import { ReportReader } from './report-reader.js';

/** A socket that this process holds and does not read, as it came over Node's channel. */
export interface SocketHandle {
  close(): void;
}

interface GateChildOptions {
  /** Whom it runs as; null: as ourselves. */
  user: number | null;
  onReport: (report: Report) => void;
}

const HEAP_MEGABYTES = 512;
const NODE_OPTIONS = [
  `--max-old-space-size=${HEAP_MEGABYTES}`,
  '--max-semi-space-size=16',
  '--disallow-code-generation-from-strings',
  '--no-addons',
];
/** Characters of what it prints that are read; it prints only when it fails. */
const MOST_WORDS = 8_192;
/** What it printed may come after its end; another process may hold its output open. */
const LAST_WORDS_MS = 200;
const STOP_PATIENCE_MS = 5_000;

/** One process of the gate, from its start to its end: an empty environment, no descriptors but the channels to it. */
export class GateChild {
  /** It is gone. Resolves with how it ended, as a clause. */
  readonly ended: Promise<string>;
  private readonly child: ChildProcess;
  private words = '';
  private violation: string | null = null;

  constructor({ user, onReport }: GateChildOptions) {
    const { starter, program } = findPrograms();
    const words = [process.execPath, ...NODE_OPTIONS, ...trustFlags(), program, String(user ?? 0)];
    this.child = spawn(starter, [String(user ?? 0), ...words], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc', 'pipe'],
      env: {},
      cwd: '/',
    });
    new ReportReader(this.child.stdio[REPORTS_FD] as Readable, {
      onReport,
      onViolation: () => this.kill('it sent what no gate would send'),
    });
    this.child.on('message', (_, handle?: unknown) => {
      (handle as SocketHandle | undefined)?.close();
      this.kill('it used a channel that is not for it');
    });
    this.ended = new Promise((resolve) => {
      this.child.on('error', (error) => resolve(error.message));
      this.child.once('exit', (code, signal) => {
        const how = this.violation ?? (signal ? `killed by ${signal}` : `exit code ${code}`);
        const patience = setTimeout(() => resolve(how), LAST_WORDS_MS);
        finished(this.child.stderr!, () => {
          clearTimeout(patience);
          resolve(how);
        });
      });
    });
    this.readLastWords(this.child.stderr!);
  }

  /** What it printed, for the operator: why it ended, mostly. */
  get lastWords(): string {
    return this.words.trim();
  }

  /** Does nothing when the process is gone. */
  send(order: Order, handle?: SocketHandle): void {
    if (this.child.connected)
      this.child.send(order, handle as unknown as SendHandle | undefined, () => undefined);
  }

  kill(why: string): void {
    this.violation ??= why;
    this.hangUp();
  }

  /** Ends it in order. Resolves when it is gone. */
  async stop(): Promise<void> {
    this.hangUp();
    const impatience = setTimeout(() => this.child.kill('SIGKILL'), STOP_PATIENCE_MS);
    await this.ended;
    clearTimeout(impatience);
  }

  /** Tells its starter, which kills it if it does not end by itself. */
  private hangUp(): void {
    this.child.kill('SIGUSR2');
  }

  private readLastWords(stderr: Readable): void {
    stderr.setEncoding('utf8').on('data', (text: string) => {
      this.words += text;
      if (this.words.length > MOST_WORDS) stderr.destroy();
    });
    stderr.on('error', () => undefined);
  }
}

/** Beside this module where it is built, else in `dist`. */
function findPrograms(): { starter: string; program: string } {
  const here = dirname(fileURLToPath(import.meta.url));
  const built = existsSync(join(here, 'main.js'))
    ? here
    : join(here, '../../../dist/libs/egress/gate-process');
  const starter = join(built, '../gate-starter');
  if (!existsSync(starter)) {
    throw new Error(
      `the gate's starter has not been built (${starter}): run \`node libs/egress/build-starter.mjs\``,
    );
  }
  return { starter, program: join(built, 'main.js') };
}

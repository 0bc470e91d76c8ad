import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

import { PRELUDE } from '../../../libs/attacks/index.js';
import type { GateProcess } from '../../../libs/egress/index.js';
import { type BoxedProcess, type BoxExit, removeTree, type Sandbox } from '../../../libs/sandbox/index.js';
import { DEFAULT_PLAN, type Settings } from '../../core/config/index.js';
import { BoxGate } from '../../core/worker/index.js';
import { planSecrets } from '../../secrets/index.js';
import { boxOf } from '../execution/box-of-run.js';
import { renderInputs } from '../execution/inputs.thread.js';
import { gateOptionsOf } from '../execution/run-gates.js';
import { type RunWishes, runOfProof } from './run-of-proof.js';

/** A program that attacks, and what its run asks for. */
export interface Attack extends RunWishes {
  /** Python, which goes after the prelude. */
  code: string;
  /** What the proof opens for this one gate besides what the settings say. */
  opened?: { allow: readonly string[]; ca: readonly string[] };
  /** Values of the secrets that the run uses, and the hosts that they are for. */
  values?: Record<string, { value: string; hosts: readonly string[] }>;
}

/** How an attack has ended. What it said was said by hostile code. */
export interface Attacked {
  exit: BoxExit;
  stdout: string;
  stderr: string;
  /** What it has found: JSON in the last line. undefined: there is none. */
  findings: unknown;
  /** What the gate wrote into the log. */
  gateLines: string[];
}

/** One that goes on beside others, until it is ended. */
export interface Standing {
  end(): Promise<void>;
}

type BoxMaker = Pick<Sandbox, 'run' | 'limits' | 'boxUsers' | 'runtimes'>;

/** What boxes are made with: the worker's own. */
export interface BenchParts {
  settings: Settings;
  sandbox: BoxMaker;
  gates: Pick<GateProcess, 'open' | 'certificate'>;
  /** A directory of this process alone, below the data directory. */
  folder: string;
  /** What no box may find, known to nobody but this process. */
  secrets: readonly string[];
  /** Opens a further sandbox of the same kind, which its caller closes. null: there is no time for that. */
  openAnother: (() => Promise<BoxMaker & Pick<Sandbox, 'close'>>) | null;
}

/** More is not said by any attack of ours. */
const MOST_BYTES = 8 * 1024 * 1024;
const DIRECTORY_MODE = 0o755;
const FILE_MODE = 0o644;
const ALL_INPUTS = '.inputs.json';
const SETTLED_MS = 30_000;

interface Begun {
  box: BoxedProcess;
  gateLines: string[];
  /** Gives back what the box had. */
  dispose: () => Promise<void>;
}

/** Makes boxes as this worker makes them for runs, with attacks in them. */
export class ProofBench {
  constructor(readonly parts: BenchParts) {}

  /** Carries out an attack to its end. */
  async attack(attack: Attack): Promise<Attacked> {
    const { box, gateLines, dispose } = await this.begin(attack);
    try {
      const [exit, stdout, stderr] = await Promise.all([
        box.exited,
        textOf(box.stdout, () => box.kill()),
        textOf(box.stderr, () => box.kill()),
      ]);
      return { exit, stdout, stderr, findings: lastLineOf(stdout), gateLines };
    } finally {
      await dispose();
    }
  }

  /** As `attack`, for one that has to succeed in showing that it failed. @throws Error where it says nothing */
  async findings<T>(attack: Attack): Promise<T> {
    const { findings, exit, stderr } = await this.attack(attack);
    if (findings !== undefined) return findings as T;
    const ended = exit.signal ?? `exit code ${exit.code}`;
    throw new Error(`the attack said nothing (${ended}): ${stderr.trim().split('\n').at(-1) ?? ''}`);
  }

  /** Begins an attack, and resolves when it has written its first line to standard error. */
  async standing(attack: Attack): Promise<Standing> {
    const { box, dispose } = await this.begin(attack);
    box.stdout.resume();
    box.exited.catch(() => undefined);
    const said = new Promise<void>((resolve, reject) => {
      box.stderr.once('data', () => resolve());
      const ended = (): void => reject(new Error('the box beside it ended early'));
      box.stderr.once('end', ended).once('error', ended);
    });
    const patience = setTimeout(() => box.kill(), SETTLED_MS);
    try {
      await said;
    } catch (error) {
      await dispose();
      throw error;
    } finally {
      clearTimeout(patience);
    }
    return { end: dispose };
  }

  private async begin({ code, opened, values = {}, ...wishes }: Attack): Promise<Begun> {
    const { settings, sandbox, gates, folder } = this.parts;
    const run = runOfProof(wishes);
    const place = await mkdtemp(join(folder, 'box-'));
    const [app, directory] = [join(place, 'app'), join(place, 'inputs')];
    for (const path of [app, directory]) await mkdir(path, { mode: DIRECTORY_MODE });
    const { argv, json } = renderInputs({ command: run.command, inputs: run.inputs, filePaths: {} });
    await writeFile(join(app, 'main.py'), PRELUDE + code, { mode: FILE_MODE });
    await writeFile(join(directory, ALL_INPUTS), json, { mode: FILE_MODE });
    const secrets = Object.entries(values).map(
      ([name, secret]) => [name, { ...secret, kind: 'text' as const, allowEnv: false }] as const,
    );
    const planned = planSecrets(run, new Map(secrets), run.environmentName);
    if ('problem' in planned) throw new Error(planned.problem);
    const { plan } = planned;
    const gateLines: string[] = [];
    const options = gateOptionsOf(run, plan, settings);
    const gate =
      run.hosts.length === 0
        ? null
        : gates.open(
            { ...options, allow: [...options.allow, ...(opened?.allow ?? [])], ca: opened?.ca ?? [] },
            { log: (line) => void gateLines.push(line) },
          );
    const boxGate = gate && new BoxGate(gate, options.hosts, gates.certificate, options.services);
    const inputs = { directory, jsonPath: `/inputs/${ALL_INPUTS}`, argv, dispose: () => Promise.resolve() };
    const box = sandbox.run({
      ...boxOf(run, settings.plans.get(DEFAULT_PLAN)?.ofRun ?? {}, { app, inputs }, plan),
      ...(boxGate && { network: boxGate.network }),
    });
    const attached = boxGate?.attach(box);
    const dispose = async (): Promise<void> => {
      await box.dispose();
      await attached;
      await boxGate?.close();
      await removeTree(place);
    };
    return { box, gateLines, dispose };
  }
}

/** All that a box says, up to a bound. */
function textOf(stream: Readable, onTooMuch: () => void): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve) => {
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MOST_BYTES) chunks.push(chunk);
      else onTooMuch();
    });
    const end = (): void => resolve(Buffer.concat(chunks).toString('utf8'));
    stream.once('close', end).once('end', end).once('error', end);
  });
}

function lastLineOf(text: string): unknown {
  try {
    return JSON.parse(text.trim().split('\n').at(-1) ?? '');
  } catch {
    return undefined;
  }
}

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BoxedProcess, BoxExit, BoxSpec } from '../box.js';
import { Sandbox } from '../sandbox.js';
import type { SandboxOptions } from '../sandbox-options.js';

const libsSandbox = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Builds the launcher if its sources have changed. @returns its path. */
export function builtLauncher(): string {
  return execFileSync(process.execPath, [join(libsSandbox, 'build-launcher.mjs')], {
    encoding: 'utf8',
  }).trim();
}

/** However little memory others leave on the machine: what is not made then is not tried again. */
const ANYWAY = { spareBytes: 0 };
const ALL_BYTES = 2 ** 30;

const withDefaults = <T extends object>(option: boolean | T | undefined, defaults: T): false | T =>
  option !== false && { ...defaults, ...(typeof option === 'object' && option) };

export function openSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  return Sandbox.open({
    launcherPath: builtLauncher(),
    nodePath: process.env['GATEHOUSE_NODE'],
    ...options,
    warmInterpreters: withDefaults(options.warmInterpreters, ANYWAY),
    templates: withDefaults(options.templates, { ...ANYWAY, memoryBytes: ALL_BYTES }),
    kept: withDefaults(options.kept, { ...ANYWAY, memoryBytes: ALL_BYTES }),
  });
}

/** A directory that everybody can read, with these files. */
export function appDirectory(files: Record<string, string> = {}): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'sandbox-app-'));
  chmodSync(path, 0o755);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true, mode: 0o755 });
    writeFileSync(join(path, name), content, { mode: 0o644 });
  }
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export interface Finished extends BoxExit {
  stdout: string;
  stderr: string;
}

/** Reads all that a box says, to its end. The box is not disposed of. */
export async function finish(box: BoxedProcess): Promise<Finished> {
  let stdout = '';
  let stderr = '';
  const ended = [box.stdout, box.stderr].map(
    (stream) => new Promise((resolve) => stream.once('close', resolve)),
  );
  box.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  box.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const exit = await box.exited;
  await Promise.all(ended);
  return { ...exit, stdout, stderr };
}

/** Runs a command to its end and disposes of the box. */
export async function runToEnd(
  sandbox: Sandbox,
  spec: Partial<BoxSpec> & Pick<BoxSpec, 'argv'>,
): Promise<Finished> {
  const app = spec.app ? null : appDirectory();
  const box = sandbox.run({ env: {}, app: app?.path ?? '', timeoutMs: 20_000, ...spec });
  try {
    return await finish(box);
  } finally {
    await box.dispose();
    app?.remove();
  }
}

export const python = (script: string): string[] => ['python3', '-c', script];
export const bash = (script: string): string[] => ['bash', '-c', script];

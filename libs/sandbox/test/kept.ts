import { afterEach, vi } from 'vitest';

import type { BoxSpec } from '../box.js';
import { callOf } from '../handler-call.js';
import type { Sandbox } from '../sandbox.js';
import type { SandboxOptions } from '../sandbox-options.js';
import { appDirectory, type Finished, openSandbox, runToEnd } from './in-box.js';

const opened: Sandbox[] = [];
const made: { remove: () => void }[] = [];

/** What is made by the others ends with each test. */
export function endWithEachTest(): void {
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((sandbox) => sandbox.close()));
    made.splice(0).forEach((one) => one.remove());
  });
}

export async function open(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await openSandbox({ maxSlots: 2, templates: false, ...options });
  opened.push(sandbox);
  return sandbox;
}

export function folder(files: Record<string, string>): string {
  const app = appDirectory(files);
  made.push(app);
  return app.path;
}

export const LANGUAGES = ['node', 'python'] as const;
export type Language = (typeof LANGUAGES)[number];

/** A file with a function of this body; `top` is before it. */
export function source(language: Language, body: string, top = ''): Record<string, string> {
  const lines = body.trim().split('\n').join(`\n    `);
  if (language === 'node')
    return { 'main.mjs': `${top}\nexport default async function (inputs, run) {\n    ${lines}\n}\n` };
  return { 'main.py': `${top}\ndef main(inputs, run):\n    ${lines}\n` };
}

export const fileOf = (language: Language): string => (language === 'node' ? 'main.mjs' : 'main.py');

type Wishes = Partial<BoxSpec> & { inputs?: never };

/** A call of the function with these inputs. */
export function called(
  sandbox: Sandbox,
  language: Language,
  app: string,
  value: unknown = {},
  { env, keep, ...wishes }: Wishes = {},
): Promise<Finished> {
  return runToEnd(
    sandbox,
    callSpec(language, app, value, { env: env ?? {}, ...(keep && { keep }), ...wishes }),
  );
}

export function callSpec(
  language: Language,
  app: string,
  value: unknown = {},
  { env, keep, ...wishes }: Wishes = {},
): BoxSpec {
  const inputs = appDirectory({ 'inputs.json': JSON.stringify(value) });
  made.push(inputs);
  const id = `run-${callSpec.count++}`;
  return {
    argv: callOf([language, fileOf(language)], { inputs: '/inputs/inputs.json', id }),
    app,
    inputs: inputs.path,
    timeoutMs: 20_000,
    ...wishes,
    env: { PYTHONUNBUFFERED: '1', PYTHONDONTWRITEBYTECODE: '1', RUN_ID: id, ...env },
    keep: { name: app, owner: 'someone', idleMs: 60_000, runs: 1000, own: ['RUN_ID'], ...keep },
  };
}
callSpec.count = 0;

/**
 * Does the work, and waits until one more process waits for a run. Where a busy machine had none, or no memory to spare for one, it
 * is tried again as runs do.
 */
export async function ready<T>(box: Sandbox, work: () => Promise<T>): Promise<T> {
  const { made: before } = box.keptState!;
  const isMade = (): boolean => box.keptState!.made > before;
  const result = await work();
  const againAt = Date.now() + RETRY_MS;
  const isOver = (): boolean => Date.now() > againAt && box.keptState!.making === 0;
  await vi.waitUntil(() => isMade() || isOver(), { timeout: 60_000, interval: 10 });
  return isMade() ? result : ready(box, work);
}

/** A little longer than one is left alone that could not be had. */
const RETRY_MS = 2100;

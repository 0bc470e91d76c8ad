import { vi } from 'vitest';
import type { BoxExit } from '../../box.js';
import type { Sandbox } from '../../sandbox.js';
import { appDirectory, runToEnd } from '../in-box.js';
import type { Program } from './program.js';

/** Of a run, what does not depend on chance. */
export type Observation = Pick<BoxExit, 'code' | 'signal' | 'outOfMemory' | 'startedAhead' | 'forked'> & {
  stdout: string;
  stderr: string;
};

/** As the worker sets them. */
const ENVIRONMENT = { PYTHONUNBUFFERED: '1', PYTHONDONTWRITEBYTECODE: '1' };

/** Addresses, names of threads, and what the host calls the directories and the user. */
const steady = (text: string): string =>
  text
    .replaceAll(/0x[\da-f]{6,}/g, '0x…')
    .replaceAll(/(started |[ug]id=)\d{6,}/g, '$1…')
    .replaceAll(/(duration_ms:? |\()[\d.]+(ms\))?/g, '$1…')
    .replaceAll(/sandbox-(app|state)-[\w-]+/g, 'sandbox-$1');

/** Runs a program in folders of its own, as often as `attempt` asks for it. */
async function inFolders<T>(
  interpreter: string,
  program: Program,
  attempt: (run: (sandbox: Sandbox, template?: string) => Promise<Observation>) => Promise<T>,
): Promise<T> {
  const {
    source,
    args = [],
    files = {},
    env = {},
    file = interpreter === 'node' ? 'main.js' : 'main.py',
  } = program;
  const app = appDirectory({ ...(source !== '' || !program.file ? { [file]: source } : {}), ...files });
  const inputs = appDirectory({ '.inputs.json': '{}' });
  try {
    return await attempt(async (sandbox, template) => {
      const argv = [interpreter, file, ...args];
      const box = { argv, env: { ...ENVIRONMENT, ...env }, app: app.path, inputs: inputs.path };
      const { code, signal, outOfMemory, startedAhead, forked, stdout, stderr } = await runToEnd(sandbox, {
        ...box,
        ...(template !== undefined && { template }),
      });
      return {
        ...{ code, signal, outOfMemory, startedAhead, forked },
        ...{ stdout: steady(stdout), stderr: steady(stderr) },
      };
    });
  } finally {
    app.remove();
    inputs.remove();
  }
}

export function observe(sandbox: Sandbox, interpreter: string, program: Program): Promise<Observation> {
  return inFolders(interpreter, program, (run) => run(sandbox));
}

/** The second run, in a sandbox that makes a template after the first; where that cannot be had, it says why. */
export function observeForked(
  sandbox: Sandbox,
  interpreter: string,
  program: Program,
): Promise<Observation & { reason: string | null }> {
  return inFolders(interpreter, program, async (run) => {
    const before = sandbox.templateState!;
    await run(sandbox, program.name);
    await vi.waitFor(
      () => {
        const { made, refused } = sandbox.templateState!;
        if (made + refused === before.made + before.refused) throw new Error('it is still being made');
      },
      { timeout: 60_000, interval: 5 },
    );
    const { refused, reason } = sandbox.templateState!;
    return { ...(await run(sandbox, program.name)), reason: refused > before.refused ? reason : null };
  });
}

/** The same in a sandbox that keeps interpreters. One that has ended before its run is replaced, which is another test's matter. */
export async function observeWarm(
  sandbox: Sandbox,
  interpreter: string,
  program: Program,
): Promise<Observation> {
  for (let attempt = 1; ; attempt++) {
    const found = await observe(sandbox, interpreter, program);
    if (found.startedAhead || attempt === 3) return found;
  }
}

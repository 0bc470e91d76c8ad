import type { BoxExit } from '../../box.js';
import type { Sandbox } from '../../sandbox.js';
import { appDirectory, runToEnd } from '../in-box.js';
import type { Program } from './program.js';

/** Of a run, what does not depend on chance. */
export type Observation = Pick<BoxExit, 'code' | 'signal' | 'outOfMemory' | 'startedAhead'> & {
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

export async function observe(sandbox: Sandbox, interpreter: string, program: Program): Promise<Observation> {
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
    const argv = [interpreter, file, ...args];
    const box = { argv, env: { ...ENVIRONMENT, ...env }, app: app.path, inputs: inputs.path };
    const { code, signal, outOfMemory, startedAhead, stdout, stderr } = await runToEnd(sandbox, box);
    return { code, signal, outOfMemory, startedAhead, stdout: steady(stdout), stderr: steady(stderr) };
  } finally {
    app.remove();
    inputs.remove();
  }
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

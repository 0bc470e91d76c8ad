import { spawn } from 'node:child_process';
import { constants, tmpdir, userInfo } from 'node:os';

import { root } from './project.mjs';

/**
 * Runs a program in the project's directory, unless another is given, and the same terminal.
 * @param {string} file
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, quiet?: boolean, cwd?: string }} [options] quiet: the output is returned, not shown
 * @returns {Promise<{ code: number, output: string }>} code as a shell would give it: 128 + n for signal n, 127 if not found
 */
export function runProgram(file, args, { env = process.env, quiet = false, cwd = root } = {}) {
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(file, args, {
      cwd,
      env,
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    });
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
    child.on('error', (error) => resolve({ code: 127, output: error.message }));
    child.on('close', (code, signal) => resolve({ code: code ?? 128 + constants.signals[signal], output }));
  });
}

/** npm, the one that runs us if it does. */
export function npm(args, options) {
  const env = { ...process.env, HOME: home() };
  const script = process.env.npm_execpath;
  return script?.endsWith('.js')
    ? runProgram(process.execPath, [script, ...args], { env, ...options })
    : runProgram('npm', args, { env, ...options });
}

/** npm keeps its cache there; an empty HOME would put it into the project. */
function home() {
  if (process.env.HOME) return process.env.HOME;
  try {
    return userInfo().homedir;
  } catch {
    return tmpdir();
  }
}

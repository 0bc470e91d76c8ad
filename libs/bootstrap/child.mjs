import { spawn } from 'node:child_process';
import { constants } from 'node:os';

import { root } from './project.mjs';

/**
 * Runs a program in the project's directory and the same terminal.
 * @param {string} file
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, quiet?: boolean }} [options] quiet: the output is returned, not shown
 * @returns {Promise<{ code: number, output: string }>} code as a shell would give it: 128 + n for signal n, 127 if not found
 */
export function runProgram(file, args, { env = process.env, quiet = false } = {}) {
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(file, args, {
      cwd: root,
      env,
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    });
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
    child.on('error', (error) => resolve({ code: 127, output: error.message }));
    child.on('close', (code, signal) => resolve({ code: code ?? 128 + constants.signals[signal], output }));
  });
}

/** A program of an installed package, run by this very Node. */
export function runNode(script, args, options) {
  return runProgram(process.execPath, [script, ...args], options);
}

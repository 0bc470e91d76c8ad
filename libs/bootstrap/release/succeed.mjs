import { runProgram } from '../child.mjs';
import { Obstacle } from '../project.mjs';

/**
 * Runs a program that has to succeed.
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Record<string, string> }} [options] env: besides that of this process
 * @returns {Promise<string>} all that it printed
 * @throws {Obstacle} with all that it printed
 */
export async function succeed(program, args, { cwd, env } = {}) {
  const options = { quiet: true, env: { ...process.env, ...env }, cwd };
  const { code, output } = await runProgram(program, args, options);
  if (code !== 0) throw new Obstacle(`\`${program} ${args[0]}\` failed (${code}):\n${output}`);
  return output;
}

/** The engine for containers that the machine's `docker` speaks to. */
export const docker = (...args) => succeed('docker', args, { env: { DOCKER_BUILDKIT: '1' } });

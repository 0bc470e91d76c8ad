import { CommandFailure, WrongUse } from '../failure/command-failure.js';
import { plainText } from '../terminal/plain-text.js';

/** What jq exits with where the expression itself is wrong. */
const NOT_COMPILED = 3;

/**
 * Prints what a jq expression makes of JSON: texts as they are, all else as JSON. It is jq itself, compiled to WebAssembly, so
 * that it sees neither the files nor the environment variables of this machine.
 *
 * @param json as text, so that no number is changed on the way
 */
export async function printByJq(json: string, expression: string): Promise<void> {
  const { raw } = await import('jq-wasm/inline');
  const isTerminal = process.stdout.isTTY === true;
  const { stdout, stderr, exitCode } = await raw(json, expression, isTerminal ? ['-r'] : ['-r', '-c']);
  if (stdout !== '') console.log(isTerminal ? plainText(stdout) : stdout);
  if (exitCode === 0) return;
  const message = stderr.replace(/^jq: (error: |error \(at [^)]*\): )?/, '').trim();
  if (exitCode === NOT_COMPILED) throw new WrongUse(`--jq: ${message}`);
  throw new CommandFailure(`--jq: ${message}`);
}

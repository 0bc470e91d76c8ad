import { type ParsedOutput, parseOutput } from './parse-output.js';

/** The functions that `RunOutputReader` calls in a thread. */
export function parseOutputBytes(stdout: Uint8Array): ParsedOutput {
  return parseOutput(Buffer.from(stdout.buffer, stdout.byteOffset, stdout.byteLength));
}

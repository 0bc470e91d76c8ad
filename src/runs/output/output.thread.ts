import { type ParsedOutput, parseOutput } from './parse-output.js';

/** What a thread does for `Outputs`. */
export function parseOutputBytes(stdout: Uint8Array): ParsedOutput {
  return parseOutput(Buffer.from(stdout.buffer, stdout.byteOffset, stdout.byteLength));
}

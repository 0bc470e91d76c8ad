import { buffer } from 'node:stream/consumers';

/** Whether a person is there to be asked. */
export function isInteractive(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true && !process.env['CI'];
}

/** All of standard input as text. */
export async function readStandardInput(): Promise<string> {
  return (await buffer(process.stdin)).toString();
}

import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';

/** The text of a file, or of standard input where it is `-`: secrets never come as arguments, which anybody can read. */
export async function readSecretFile(file: string): Promise<string> {
  return file === '-' ? (await buffer(process.stdin)).toString() : readFile(file, 'utf8');
}

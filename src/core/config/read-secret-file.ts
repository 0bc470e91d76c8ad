import { readFile } from 'node:fs/promises';

/** The text of a file, or of standard input where it is `-`: secrets never come as arguments, which anybody can read. */
export async function readSecretFile(file: string): Promise<string> {
  if (file !== '-') return readFile(file, 'utf8');
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

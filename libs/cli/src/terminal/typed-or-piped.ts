import { isInteractive, readStandardInput } from './interactive.js';

/** A secret, asked for in a terminal; otherwise what comes on standard input. */
export async function typedOrPiped(message: string): Promise<string> {
  // What `echo` and editors put at the end is hardly meant.
  if (!isInteractive()) return (await readStandardInput()).replace(/\r?\n$/, '');
  const { password } = await import('@inquirer/prompts');
  return password({ message, mask: '*' }, { output: process.stderr });
}

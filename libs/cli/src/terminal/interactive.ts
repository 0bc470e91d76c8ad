/** Whether a person is there to be asked. */
export function isInteractive(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true && !process.env['CI'];
}

/** All of standard input as text. */
export async function readStandardInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

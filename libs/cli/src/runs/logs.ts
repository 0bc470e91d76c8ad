import type { Context } from '../context.js';
import { plainText } from '../terminal/plain-text.js';

const PAGE = 1_000;

/** Here the log is what was asked for, so it goes to standard output. */
export default async function logs({ args, options, gatehouse }: Context<{ follow?: true }>): Promise<void> {
  const client = await gatehouse();
  const [id = ''] = args;
  const print = (line: string): void => console.log(process.stdout.isTTY ? plainText(line) : line);
  if (options.follow) {
    for await (const event of client.runs.follow(id)) if (event.type === 'log') print(event.line);
    return;
  }
  for (let after = 0; ;) {
    const { lines, next } = await client.runs.log(id, { after, limit: PAGE });
    for (const line of lines) print(line);
    if (lines.length < PAGE) return;
    after = next;
  }
}

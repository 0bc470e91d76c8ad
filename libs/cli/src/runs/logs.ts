import type { Context } from '../context.js';
import { WrongUse } from '../failure/command-failure.js';
import { plainText } from '../terminal/plain-text.js';

const PAGE = 1_000;

interface LogOptions {
  follow?: true;
  search?: string;
}

/** Here the log is what was asked for, so it goes to standard output. */
export default async function logs({ args, options, gatehouse }: Context<LogOptions>): Promise<void> {
  const client = await gatehouse();
  const [id = ''] = args;
  const print = (line: string): void => console.log(process.stdout.isTTY ? plainText(line) : line);
  const { search } = options;
  if (options.follow) {
    if (search !== undefined) throw new WrongUse('A log is followed, or searched: not both.');
    for await (const event of client.runs.follow(id)) if (event.type === 'log') print(event.line);
    return;
  }
  for (let after = 0; ;) {
    const { lines, next } = await client.runs.log(id, {
      after,
      limit: PAGE,
      ...(search !== undefined && { q: search }),
    });
    for (const line of lines) print(line);
    if (lines.length < PAGE) return;
    after = next;
  }
}

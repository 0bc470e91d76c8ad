import type { Context } from '../context.js';
import { WrongUse } from '../failure/command-failure.js';
import { writeBody } from '../output/write-body.js';
import { plainText } from '../terminal/plain-text.js';

const PAGE = 1_000;
/** As wide as a time. */
const NO_TIME = '-'.padEnd('2026-01-31T12:00:00.000Z'.length);

interface LogOptions {
  follow?: true;
  search?: string;
  all?: true;
  times?: true;
  attempt?: string;
}

/** Here the log is what was asked for, so it goes to standard output. */
export default async function logs({ args, options, gatehouse }: Context<LogOptions>): Promise<void> {
  const client = await gatehouse();
  const [id = ''] = args;
  const print = (line: string): void => console.log(process.stdout.isTTY ? plainText(line) : line);
  const { search, times } = options;
  const part = options.attempt !== undefined && { attempt: Number(options.attempt) };
  if (part && options.follow) throw new WrongUse('A run is followed from its first attempt to its last one.');
  if (times && (options.all || options.follow)) {
    throw new WrongUse(
      'Times are printed of the log that is kept. With --follow and --all they are not offered yet.',
    );
  }
  if (options.all) {
    if (options.follow || search !== undefined) {
      throw new WrongUse(
        'All of a log is printed, or it is followed or searched. A search looks at all of it.',
      );
    }
    return writeBody(await client.runs.wholeLog(id, { ...part }));
  }
  if (options.follow) {
    if (search !== undefined) throw new WrongUse('A log is followed, or searched: not both.');
    for await (const event of client.runs.follow(id)) if (event.type === 'log') print(event.line);
    return;
  }
  for (let after = 0; ;) {
    const {
      lines,
      next,
      more,
      times: at,
    } = await client.runs.log(id, {
      after,
      limit: PAGE,
      ...part,
      ...(search !== undefined && { q: search }),
      ...(times && { times: 'true' as const }),
    });
    lines.forEach((line, place) => print(times ? `${at?.[place] ?? NO_TIME} ${line}` : line));
    if (lines.length < PAGE && !more) return;
    after = next;
  }
}

import { type Command, Option } from 'commander';

import { type Context, contextOf } from '../context.js';

/** A command's code, which is loaded when it is used. */
type Load = () => Promise<{ default: (context: Context<never>) => Promise<number | void> }>;

/** Those that stand before a command or behind it. */
export const globalOptions = (): Option[] => [
  new Option('--profile <name>', 'sign in as, and use, this profile (GATEHOUSE_PROFILE)'),
  new Option('--url <address>', 'the address of Gatehouse (GATEHOUSE_URL)'),
  new Option('-w, --workspace <slug>', 'the workspace to act in (GATEHOUSE_WORKSPACE)'),
  new Option('-e, --env <name>', 'the environment to act in (GATEHOUSE_ENVIRONMENT)'),
];

/** A command of the program, or of a group of it. */
export function command(parent: Command, usage: string, description: string, load: Load): Command {
  const made = parent.command(usage);
  for (const option of globalOptions()) made.addOption(option.hideHelp());
  return made.description(description).action(async (...all: unknown[]) => {
    const self = all.at(-1) as Command;
    const { default: run } = await load();
    const context = contextOf(self.args, self.optsWithGlobals());
    try {
      process.exitCode = (await run(context as Context<never>)) ?? 0;
    } catch (error) {
      const { explained } = await import('../failure/explained.js');
      throw await explained(error, context);
    }
  });
}

/** As `gh` has it: the whole as JSON or the named fields, and what a jq expression makes of that. */
export const withJson = (made: Command): Command =>
  made
    .option('--json [fields]', 'print JSON: everything, or these fields (a,b.c)')
    .option('-q, --jq <expression>', 'print JSON, through a jq expression');

/** `--limit` of a list. */
export const withLimit = (made: Command): Command =>
  made.option('--limit <number>', 'how many at most', '25');

/** From one time to another. */
export const withPeriod = (made: Command): Command =>
  made
    .option('--since <time>', 'only from then on: a date, or how long ago, such as 2h or 7d')
    .option('--until <time>', 'only before then');

/** Of an export. */
export const withFormat = (made: Command): Command =>
  made.option('--format <format>', 'ndjson, a line of JSON each, or csv', 'ndjson');

/** For options that can be given several times. */
export const collect = (value: string, before: string[] = []): string[] => [...before, value];

/** One of the commands that a file has: its code is loaded when it is used, too. */
export const part =
  <Module, Name extends keyof Module>(load: () => Promise<Module>, name: Name): Load =>
  async () => ({ default: (await load())[name] as Awaited<ReturnType<Load>>['default'] });

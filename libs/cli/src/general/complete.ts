import type { Command } from 'commander';

import { contextOf } from '../context.js';
import { mayBeOfExtension } from '../extensions/first-word.js';

const PATIENCE_MS = 1_500;
/** As slugs and commands are. What else a service may send, a shell would read as its own. */
const HARMLESS = /^[a-z0-9-]+$/;

/** Prints what may stand in the place of the last word, a line each. It never fails: a shell would show that. */
export default async function complete(program: Command, words: string[]): Promise<void> {
  const typed = words.at(-1) ?? '';
  const typedBefore = words.slice(0, -1);
  const before = typedBefore.filter((word) => !word.startsWith('-'));
  if (mayBeOfExtension(program, typedBefore)) {
    const { addExtensionCommands } = await import('../extensions/add-extension-commands.js');
    await addExtensionCommands(program, typedBefore, PATIENCE_MS);
  }
  let command = program;
  let depth = 0;
  for (const word of before) {
    const next = command.commands.find((one) => one.name() === word);
    if (!next) break;
    command = next;
    depth += 1;
  }
  const candidates = typed.startsWith('-')
    ? optionsOf(command, program)
    : wantsScript(command, before.length - depth)
      ? await scripts()
      : command.commands.filter((one) => !isHidden(one)).map((one) => one.name());
  for (const candidate of candidates) {
    if (candidate.startsWith(typed) && HARMLESS.test(candidate)) console.log(candidate);
  }
}

/** Whether a script is what comes next, by what the command calls its arguments. */
const wantsScript = ({ registeredArguments }: Command, place: number): boolean =>
  ['script', 'thing'].includes(registeredArguments[place]?.name() ?? '');

const isHidden = (command: Command): boolean => (command as unknown as { _hidden: boolean })._hidden;

const optionsOf = (command: Command, program: Command): string[] =>
  [...new Set([...command.options, ...program.options])].flatMap(({ long, hidden }) =>
    long && !hidden ? [long] : [],
  );

async function scripts(): Promise<string[]> {
  try {
    const gatehouse = await contextOf([], {}).gatehouse();
    const page = await gatehouse.scripts.list({ limit: 100 }, { retries: 0, timeoutMs: PATIENCE_MS });
    return page.items.map(({ slug }) => slug);
  } catch {
    return [];
  }
}

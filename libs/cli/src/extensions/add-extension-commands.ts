import type { CliCommand, CliParameter } from '@gatehouse/client';
import { Argument, type Command, Option } from 'commander';

import { command, withJson, withLimit } from '../commands/command.js';
import { plainText } from '../terminal/plain-text.js';
import { firstWord, isBuiltIn, placeOptions } from './first-word.js';
import { knownCommands } from './known-commands.js';
import { optionName } from './option-name.js';
import { soundCommands } from './sound-commands.js';

const PATIENCE_MS = 3_000;
const OF_ITSELF = ['json', 'jq', 'limit', 'help', 'version'];

/**
 * Adds the commands of extensions that the service lists, below those of the program: one that is there already stays what it
 * is. Never fails: without them, the program is as it was.
 */
export async function addExtensionCommands(
  program: Command,
  args: readonly string[],
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const word = firstWord(program, args);
  const taken = [...OF_ITSELF, ...program.options.map((option) => option.attributeName())];
  const has = (items: unknown): boolean =>
    word === undefined || word === 'help' || soundCommands(items, taken).some(({ group }) => group === word);
  const items = await knownCommands(placeOptions(program, args), patienceMs, has);
  for (const [name, commands] of grouped(soundCommands(items, taken))) {
    if (name === 'help' || isBuiltIn(program, name)) continue;
    const group = program
      .command(name)
      .description(`commands of the extension ${name}`)
      .helpGroup('Commands of extensions:');
    for (const one of commands) if (!isBuiltIn(group, one.name)) addTo(group, one);
  }
}

function grouped(commands: readonly CliCommand[]): Map<string, CliCommand[]> {
  const groups = new Map<string, CliCommand[]>();
  for (const one of commands) groups.set(one.group, [...(groups.get(one.group) ?? []), one]);
  return groups;
}

function addTo(group: Command, declared: CliCommand): void {
  const load = async () => {
    const { runExtensionCommand } = await import('./run-extension-command.js');
    return { default: runExtensionCommand(declared) };
  };
  const made = withJson(command(group, declared.name, plainText(declared.summary), load));
  for (const one of declared.arguments) {
    const argument = new Argument(one.required ? `<${one.name}>` : `[${one.name}]`, describe(one));
    made.addArgument(one.choices ? argument.choices(one.choices.map(plainText)) : argument);
  }
  for (const one of declared.options) {
    const flags =
      one.type === 'boolean' ? optionName(one.name) : `${optionName(one.name)} <${WORDS[one.type]}>`;
    const option = new Option(flags, describe(one)).makeOptionMandatory(
      one.required && one.type !== 'boolean',
    );
    made.addOption(one.choices ? option.choices(one.choices.map(plainText)) : option);
  }
  if (declared.list) withLimit(made);
}

const WORDS = { string: 'text', integer: 'number', number: 'number', boolean: '' } as const;

const describe = ({ description }: CliParameter): string => plainText(description);

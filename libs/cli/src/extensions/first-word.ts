import type { Command } from 'commander';

/**
 * Whether commands of extensions have to be known for a command line: where it names none of ours, or asks for help with all.
 * For any other, nothing is asked of the service.
 */
export function mayBeOfExtension(program: Command, args: readonly string[]): boolean {
  const word = firstWord(program, args);
  return word === undefined || word === 'help' || !isBuiltIn(program, word);
}

export function isBuiltIn(program: Command, word: string): boolean {
  return program.commands.some((one) => one.name() === word || one.aliases().includes(word));
}

/** The first that is neither an option of the program nor the value of one. */
export function firstWord(program: Command, args: readonly string[]): string | undefined {
  for (let place = 0; place < args.length; place++) {
    const arg = args[place]!;
    if (arg === '--') return args[place + 1];
    if (!arg.startsWith('-')) return arg;
    const option = program.options.find(({ short, long }) => arg === short || arg === long);
    if (option?.required) place++;
  }
  return undefined;
}

/** What the options that stand anywhere in a command line say of where it acts. */
export function placeOptions(program: Command, args: readonly string[]): Record<string, string> {
  const given: Record<string, string> = {};
  for (let place = 0; place < args.length && args[place] !== '--'; place++) {
    const arg = args[place]!;
    const option = program.options.find(
      ({ short, long, required }) =>
        required && (arg === short || arg === long || (long && arg.startsWith(`${long}=`))),
    );
    if (!option) continue;
    const value = arg.includes('=') ? arg.slice(arg.indexOf('=') + 1) : args[++place];
    if (value !== undefined) given[option.attributeName()] = value;
  }
  return given;
}

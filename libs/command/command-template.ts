/**
 * A command, parsed. It is a flat list of tokens: arguments are what stands between two breaks.
 *
 * Grammar, settled where the interface leaves it open:
 * - Whitespace separates arguments. Single quotes, double quotes and backslash only keep characters together; nothing is expanded.
 * - `{name}` and `[ … ]` mean the same inside quotes as outside. To have the character itself: `{{`, `}}`, `[[`, `]]`, or a backslash before it.
 * - A name is a letter or underscore, then letters, digits, underscores and dashes, at most 64 characters.
 * - A group may hold several arguments (`[--unit {unit}]`) or a part of one (`--city={city}[,{country}]`). Groups do not nest, because
 *   `]]` is a literal bracket. A group without an input could never be decided, so it is refused.
 * - The program (the first argument) holds no input and no group: who runs a script does not choose what is executed.
 */
export interface CommandTemplate {
  readonly text: string;
  readonly tokens: readonly CommandToken[];
}

export type CommandToken = PlainToken | { kind: 'group'; tokens: PlainToken[]; position: number };

export type PlainToken =
  /** Literal text. A quoted one may be empty; it keeps its argument from being dropped. */
  { kind: 'text'; text: string } | { kind: 'input'; name: string; position: number } | { kind: 'break' };

/** How an input stands in a command: `optional` when it appears inside a group only. */
interface CommandInput {
  name: string;
  /** Where it stands first, counted in characters from 1. */
  position: number;
  optional: boolean;
}

/** The inputs of a command in order of appearance, each once. */
export function commandInputs(template: CommandTemplate): CommandInput[] {
  const inputs = new Map<string, CommandInput>();
  const note = (token: PlainToken, optional: boolean): void => {
    if (token.kind !== 'input') return;
    const known = inputs.get(token.name);
    if (!known) inputs.set(token.name, { name: token.name, position: token.position, optional });
    else known.optional &&= optional;
  };
  for (const token of template.tokens) {
    if (token.kind === 'group') for (const inner of token.tokens) note(inner, true);
    else note(token, false);
  }
  return [...inputs.values()];
}

/** The names of a command's inputs in order of appearance, each once. */
export function inputNames(template: CommandTemplate): string[] {
  return commandInputs(template).map((input) => input.name);
}

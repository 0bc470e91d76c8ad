import { InvalidInput } from '../invalid-input/index.js';
import type { CommandTemplate, PlainToken } from './command-template.js';

/** Linux refuses an argument of 128 KiB including the NUL that ends it. */
const MAX_ARGUMENT_BYTES = 128 * 1024 - 1;
/** Linux refuses arguments and environment over 2 MiB together; half of it leaves room for the environment. */
const MAX_COMMAND_BYTES = 1024 * 1024;

interface RenderOptions {
  /** What else to do with a value that no argument can hold: how such a refusal ends. */
  advice?: string;
  /** Where the files given as inputs lie in the sandbox, by input; a list for an input that takes several. */
  filePaths?: Readonly<Record<string, string | readonly string[]>>;
}

interface Argument {
  pieces: string[];
  bytes: number;
  hasNul: boolean;
  inputs: string[];
}

/** The value of an input, made text once however often the command names it. */
interface Filling {
  text: string;
  bytes: number;
  hasNul: boolean;
  isEmpty: boolean;
}

/**
 * The arguments of a run: the template with its inputs filled in.
 *
 * An unquoted argument that ends up empty is dropped; a quoted one (`"{city}"`) stays, empty.
 *
 * @throws InvalidInput at `inputs` or the input, ending with the advice, when a value cannot be an argument
 */
export function renderCommand(
  template: CommandTemplate,
  inputs: Readonly<Record<string, unknown>>,
  { filePaths = {}, advice }: RenderOptions = {},
): string[] {
  const done: Argument[] = [];
  let current: Argument | null = null;
  const fillings = new Map<string, Filling>();
  const fillingOf = (name: string): Filling => {
    let filling = fillings.get(name);
    if (!filling) {
      const own = Object.hasOwn(inputs, name) ? inputs[name] : undefined;
      filling = fillingFor(Object.hasOwn(filePaths, name) ? filePaths[name] : own);
      fillings.set(name, filling);
    }
    return filling;
  };
  // Put together only once their sizes are known: a large input named often would be more than fits into memory.
  const append = ({ text, bytes, hasNul }: Filling, input?: string): void => {
    current ??= { pieces: [], bytes: 0, hasNul: false, inputs: [] };
    current.pieces.push(text);
    current.bytes += bytes;
    current.hasNul ||= hasNul;
    if (input !== undefined) current.inputs.push(input);
  };
  const flush = (): void => {
    if (current) done.push(current);
    current = null;
  };
  const add = (token: PlainToken): void => {
    if (token.kind === 'break') return flush();
    if (token.kind === 'text') return append(fillingFor(token.text));
    const filling = fillingOf(token.name);
    if (!filling.isEmpty) append(filling, token.name);
  };

  for (const token of template.tokens) {
    if (token.kind !== 'group') add(token);
    else if (token.tokens.some((inner) => inner.kind === 'input' && !fillingOf(inner.name).isEmpty)) {
      token.tokens.forEach(add);
    }
  }
  flush();
  checkSizes(done, advice);
  return done.map(({ pieces }) => pieces.join(''));
}

/** Absent, null, `''`, `[]` and `{}` count as not given; `false` and `0` are values. */
function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function fillingFor(value: unknown): Filling {
  if (isEmpty(value)) return { text: '', bytes: 0, hasNul: false, isEmpty: true };
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return { text, bytes: Buffer.byteLength(text), hasNul: text.includes('\0'), isEmpty: false };
}

function checkSizes(args: readonly Argument[], advice?: string): void {
  const refuse = (inputs: readonly string[], what: string): never => {
    const path = inputs[0] === undefined ? 'inputs' : `inputs.${inputs[0]}`;
    throw InvalidInput.at(path, advice === undefined ? what : `${what}; ${advice}`);
  };
  let total = 0;
  for (const { bytes, hasNul, inputs } of args) {
    total += bytes + 1;
    if (hasNul) refuse(inputs, 'holds a NUL character, which no argument of a program can');
    if (bytes > MAX_ARGUMENT_BYTES) {
      refuse(inputs, `makes an argument of ${bytes} bytes, and a program takes at most 128 KiB in one`);
    }
  }
  if (total > MAX_COMMAND_BYTES) refuse([], `make arguments of ${total} bytes in all, and 1 MiB is the most`);
}

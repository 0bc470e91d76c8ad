import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuzz } from '../fuzz/index.js';
import { InvalidInput } from '../invalid-input/index.js';
import { checkCommandNames } from './check-command-names.js';
import { type CommandTemplate, inputNames } from './command-template.js';
import { deriveInputSchema } from './derive-input-schema.js';
import { parseCommand } from './parse-command.js';
import { quoteArgument } from './quote-argument.js';
import { renderCommand } from './render-command.js';

/** Text in which what means something to the reader is frequent. */
const commandText = fc
  .array(
    fc.oneof(
      {
        weight: 4,
        arbitrary: fc.constantFrom(...'{}[]"\'\\ \t\n', '{{', '}}', '[[', ']]', '{city}', '[{a}]'),
      },
      { weight: 2, arbitrary: fc.constantFrom('python', 'main.py', '--city=', '$(id)', ';', '|', '`', '\0') },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''));

const argument = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
  .filter((text) => !text.includes('\0'));

function parsed(text: string): CommandTemplate | null {
  try {
    return parseCommand(text);
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidInput);
    expect((error as InvalidInput).details?.[0]?.path).toBe('command');
    return null;
  }
}

describe('the command reader, fuzzed', () => {
  it('reads any text or says at `command` what is wrong with it', () =>
    fuzz(
      'command reader',
      fc.property(commandText, (text) => {
        const template = parsed(text);
        if (!template) return;
        checkCommandNames(template, deriveInputSchema(template));
        for (const name of inputNames(template)) expect(name).toMatch(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/);
      }),
      { runs: 3_000 },
    ));

  it('reads back what it quoted', () =>
    fuzz(
      'quoting of arguments',
      fc.property(fc.array(argument, { minLength: 1, maxLength: 6 }), (args) => {
        const text = args.map(quoteArgument).join(' ');
        expect(renderCommand(parseCommand(text), {})).toEqual(args);
      }),
      { runs: 1_000 },
    ));

  it('makes one argument of one input, whatever it holds', () =>
    fuzz(
      'inputs of a command',
      fc.property(argument, argument, (first, second) => {
        const template = parseCommand('run {a} --b={b} [--c {c}]');
        expect(renderCommand(template, { a: first, b: second })).toEqual(['run', first, `--b=${second}`]);
        expect(renderCommand(template, { a: first, c: second })).toEqual([
          'run',
          first,
          '--b=',
          '--c',
          second,
        ]);
      }),
      { runs: 1_000 },
    ));

  it('never lets an input choose the program', () =>
    fuzz(
      'program of a command',
      fc.property(commandText, argument, (text, value) => {
        const template = parsed(text);
        if (!template) return;
        const names = inputNames(template);
        const programs = [{}, Object.fromEntries(names.map((name) => [name, value]))].map(
          (inputs) => renderCommand(template, inputs)[0],
        );
        expect(programs[1]).toBe(programs[0]);
      }),
      { runs: 1_000 },
    ));
});

import { describe, expect, it } from 'vitest';
import { InvalidInput } from '../invalid-input/index.js';
import { inputNames } from './command-template.js';
import { parseCommand } from './parse-command.js';
import { quoteArgument } from './quote-argument.js';
import { renderCommand } from './render-command.js';

const render = (text: string, inputs: Record<string, unknown> = {}) =>
  renderCommand(parseCommand(text), inputs);

function refusal(text: string): string {
  try {
    parseCommand(text);
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidInput);
    expect((error as InvalidInput).details).toHaveLength(1);
    expect((error as InvalidInput).details![0]!.path).toBe('command');
    return (error as InvalidInput).details![0]!.message;
  }
  throw new Error(`accepted: ${text}`);
}

describe('parseCommand', () => {
  it.each<[string, string[]]>([
    ['python main.py', ['python', 'main.py']],
    ['  python \t main.py \n', ['python', 'main.py']],
    [`a 'b c' "d e" f\\ g`, ['a', 'b c', 'd e', 'f g']],
    [`a ''  ""`, ['a', '', '']],
    [`a 'b'"c"d`, ['a', 'bcd']],
    [`a '\\n' "\\n" "\\"" "\\\\" \\\\`, ['a', '\\n', '\\n', '"', '\\', '\\']],
    ['a \\\n b', ['a', 'b']],
    ['a $HOME `x` *.py ~ ; | > &&', ['a', '$HOME', '`x`', '*.py', '~', ';', '|', '>', '&&']],
    ['a {{b}} [[c]]', ['a', '{b}', '[c]']],
    [`a '{{"k": [[1]]}}'`, ['a', '{"k": [1]}']],
    [`a \\{b\\} "\\[c\\]"`, ['a', '{b}', '[c]']],
    ['a # not a comment', ['a', '#', 'not', 'a', 'comment']],
    ['a é😀', ['a', 'é😀']],
  ])('splits %j', (text, args) => expect(render(text)).toEqual(args));

  it.each([
    ['python {city', 8],
    ['python {', 8],
    ['python city}', 12],
    ['python [--unit {unit}', 8],
    ['python {unit}]', 14],
    ['python "abc', 8],
    ["python 'abc", 8],
    ['python \\', 8],
    ['python {}', 8],
    ['python {a b}', 8],
    ['python {1a}', 8],
    ['python {-a}', 8],
    ['python {a.b}', 8],
    ['python {__proto__}', 8],
    ['python [--verbose]', 8],
    ['python [a {x} [b {y} ] ]', 15],
    ['python [a {x}]]', 8],
    ['python "[a {x}"]', 9],
    ['python ["a {x}]"', 8],
    ['{program} x', 1],
    ['[py{thon}] x', 1],
    ['py{thon} x', 3],
    ['😀 {', 3],
    ['', 1],
    ['   ', 1],
    ['""', 1],
    ['a\0b', 2],
  ])('refuses %j at character %i', (text, position) => {
    expect(refusal(text)).toContain(`at character ${position}`);
  });

  it('accepts names with digits, underscores and dashes, up to 64 characters', () => {
    const long = 'n'.repeat(64);
    expect(inputNames(parseCommand(`a {dry-run} {_x1} {${long}}`))).toEqual(['dry-run', '_x1', long]);
    expect(refusal(`a {${long}n}`)).toContain('64');
  });

  it('lists each input once, in order', () => {
    expect(inputNames(parseCommand('a {x} [--y {y} {x}] {z}{y}'))).toEqual(['x', 'y', 'z']);
  });

  it('reads three braces as a literal one around an input', () => {
    expect(render('a {{{x}}}', { x: 1 })).toEqual(['a', '{1}']);
  });
});

describe('quoteArgument', () => {
  it.each(['plain.py', 'with space', "it's", `"q"`, `both ' and " \\`, '{a}[b]', '', '$HOME', '\\', 'a\nb'])(
    'is read back as %j',
    (text) => expect(render(`x ${quoteArgument(text)}`)).toEqual(['x', text]),
  );
});

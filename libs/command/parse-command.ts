import { InvalidInput } from '../invalid-input/index.js';
import type { CommandTemplate, CommandToken, PlainToken } from './command-template.js';

const NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
const WHITESPACE = /\s/;
const ESCAPABLE_IN_DOUBLE_QUOTES = new Set(['"', '\\', '{', '}', '[', ']']);

/**
 * Parses a command. The grammar is described at `CommandTemplate`.
 *
 * @throws InvalidInput at `command`, with the position in characters from 1
 */
export function parseCommand(text: string): CommandTemplate {
  return { text, tokens: new CommandParser(text).parse() };
}

class CommandParser {
  private at = 0;
  private quote: { mark: '"' | "'"; start: number } | null = null;
  private group: { start: number; tokens: PlainToken[]; quote: number | null } | null = null;
  private readonly tokens: CommandToken[] = [];

  constructor(private readonly text: string) {}

  parse(): CommandToken[] {
    const nul = this.text.indexOf('\0');
    if (nul >= 0) this.fail(nul, 'a NUL character is not allowed');
    while (this.at < this.text.length) this.step();
    if (this.quote) this.fail(this.quote.start, 'this quote is never closed');
    if (this.group)
      this.fail(this.group.start, 'this [ is never closed (a literal bracket is written [[ or ]])');
    this.checkProgram();
    return this.tokens;
  }

  private step(): void {
    const start = this.at;
    const char = this.text[this.at++]!;
    if (this.quote && char === this.quote.mark) {
      if (this.group && this.group.quote === this.quote.start) {
        this.fail(this.group.start, 'this [ must be closed inside the same quotes');
      }
      this.quote = null;
    } else if (!this.quote && (char === '"' || char === "'")) {
      this.quote = { mark: char, start };
      this.pushText('', true);
    } else if (char === '\\' && this.quote?.mark !== "'") {
      this.escape(start);
    } else if (!this.quote && WHITESPACE.test(char)) {
      this.push({ kind: 'break' });
    } else if ('{}[]'.includes(char)) {
      if (this.text[this.at] === char) {
        this.at++;
        this.pushText(char);
      } else this.special(char, start);
    } else this.pushText(char);
  }

  private escape(start: number): void {
    const next = this.text[this.at];
    if (next === undefined) return this.fail(start, 'a backslash at the end has nothing to quote');
    if (this.quote && !ESCAPABLE_IN_DOUBLE_QUOTES.has(next)) return this.pushText('\\');
    this.at++;
    // As in a shell, a backslash before a line's end joins the lines.
    if (next !== '\n') this.pushText(next, true);
  }

  private special(char: string, start: number): void {
    if (char === '{') return this.input(start);
    if (char === '}') return this.fail(start, 'this } closes nothing (a literal one is written }})');
    if (char === '[') {
      if (this.group) this.fail(start, 'groups cannot be nested (a literal bracket is written [[)');
      this.group = { start, tokens: [], quote: this.quote?.start ?? null };
      return;
    }
    const group = this.group;
    if (!group) return this.fail(start, 'this ] closes nothing (a literal one is written ]])');
    if (group.quote !== (this.quote?.start ?? null)) {
      this.fail(group.start, 'this [ must be closed inside the same quotes');
    }
    if (!group.tokens.some((token) => token.kind === 'input')) {
      this.fail(group.start, 'this [ … ] holds no {input} that could decide whether it is left out');
    }
    this.group = null;
    this.push({ kind: 'group', tokens: group.tokens, position: this.position(group.start) });
  }

  private input(start: number): void {
    const end = this.text.indexOf('}', this.at);
    if (end < 0) return this.fail(start, 'this { is never closed (a literal one is written {{)');
    const name = this.text.slice(this.at, end);
    if (!NAME.test(name) || name === '__proto__') {
      this.fail(
        start,
        `${JSON.stringify(name)} is not an input's name: letters, digits, _ and -, at most 64, not beginning with a digit or dash (a literal brace is written {{ or }})`,
      );
    }
    this.at = end + 1;
    this.push({ kind: 'input', name, position: this.position(start) });
  }

  private pushText(text: string, quoted = false): void {
    const list = this.group?.tokens ?? this.tokens;
    const last = list.at(-1);
    if (last?.kind === 'text') last.text += text;
    else if (text !== '' || quoted) list.push({ kind: 'text', text });
  }

  private push(token: CommandToken): void {
    if (this.group && token.kind !== 'group') this.group.tokens.push(token);
    else this.tokens.push(token);
  }

  private checkProgram(): void {
    let program = '';
    for (const token of this.tokens) {
      if (token.kind === 'break') {
        if (program !== '') return;
      } else if (token.kind === 'text') program += token.text;
      else this.failAt(token.position, 'the program, the first argument, must be plain text, not an input');
    }
    if (program === '') this.failAt(1, 'the command names no program');
  }

  private position(index: number): number {
    return [...this.text.slice(0, index)].length + 1;
  }

  private fail(index: number, message: string): never {
    return this.failAt(this.position(index), message);
  }

  private failAt(position: number, message: string): never {
    throw InvalidInput.at('command', `${message}, at character ${position}`);
  }
}

import { stripVTControlCharacters } from 'node:util';

import { exitMessage } from './exit-message.js';
import {
  CARET,
  CONTINUES,
  ERROR,
  ERRORS,
  EXCERPT,
  GO_GOROUTINE,
  GO_PANIC,
  GO_STACK,
  JAVASCRIPT_FRAME,
  LOG_RECORD,
  NAMED_ERROR,
  PYTHON_ASIDE,
  PYTHON_CHAIN,
  PYTHON_ENTRY,
  PYTHON_START,
  PYTHON_SYNTAX,
  RUBY_ERROR,
  RUNTIME_VERSION,
} from './failure-patterns.js';

/** Of a text put together from lines. */
const MAX_TEXT_LENGTH = 2_000;

/** Which lines of standard error say why a program ended. */
export interface FailureLines {
  text: string;
  language: 'python' | 'node' | null;
  /** The numbers of the first line of its traceback, and of the line that names the error, from 0. */
  start: number;
  at: number;
}

interface Found extends FailureLines {
  open: 'colon' | 'brackets' | null;
  /** Whether its traceback begins where the program does. One that was caught in a function begins there. */
  isWhole: boolean;
}

/**
 * Finds the error that ended a program in what it printed on standard error, line by line and in bounded memory: the exception of
 * an uncaught error, even if lines follow that were printed at exit, and else the first line of the last block.
 */
export class FailureReader {
  private count = 0;
  /** The two lines before this one, without colours. */
  private before: [string, string] = ['', ''];
  /** The first line of the last block, and that of the block before. */
  private last: Found | null = null;
  private previous: Found | null = null;
  /** The error by which a program ended, as far as its shape shows it. */
  private uncaught: Found | null = null;
  private python: { start: number; isGroup: boolean; isWhole: boolean } | null = null;
  private endsProgram = false;
  private isChain = false;
  /** The error below the source line that threw it. */
  private thrown: Found | 'next' | null = null;
  /** A line of this paragraph that names an error. */
  private named: Found | null = null;
  private isGo = false;

  add(raw: string): void {
    const line = stripVTControlCharacters(raw).trimEnd();
    if (line !== '') this.read(line);
    else this.named = null;
    this.before = [this.before[1], line];
    this.count += 1;
  }

  /**
   * @param code what the program exited with; null: a signal ended it
   * @param isFunction it is called by a program of ours, whose frames are left out
   */
  failure(code: number | null, isFunction = false): FailureLines | null {
    const { uncaught } = this;
    return uncaught && (uncaught.isWhole || isFunction) && exitsWith(code, uncaught) ? uncaught : this.last;
  }

  /** Where the lines are of which an `error` was made. null: it was made of others. */
  find(error: string): FailureLines | null {
    const code = Number(/^exit code (\d+): /.exec(error)?.[1]);
    const isIts = (found: Found | null) =>
      found && exitMessage({ kind: 'exit', code, lastError: found.text }) === error;
    return [this.uncaught, this.last].find(isIts) ?? null;
  }

  private read(line: string): void {
    if (this.readPython(line)) return;
    if (this.thrown === 'next') {
      this.thrown = this.found(line, 'node');
      return;
    }
    if (this.append(line)) return;
    if (CARET.test(line)) return this.readCaret();
    if (RUNTIME_VERSION.test(line) && this.last) return this.readEnd(this.last);
    if (JAVASCRIPT_FRAME.test(line) && this.last) return this.readFrame(this.last);
    if (!this.last || !this.continues(line, this.last)) this.found(line);
  }

  private readPython(line: string): boolean {
    if (this.python) {
      const { start, isGroup, isWhole } = this.python;
      const text = isGroup ? line.replace(/^ {2}\| ?/, '') : line;
      if (this.count === start + 1) this.python.isWhole ||= PYTHON_ENTRY.test(text);
      if (text === '' || /^\s/.test(text)) return true;
      this.python = null;
      const found = this.found(text, 'python', start);
      found.isWhole = isWhole;
      if (this.endsProgram) this.uncaught = found;
      return true;
    }
    if (PYTHON_CHAIN.test(line)) return (this.isChain = true);
    const isWhole = PYTHON_SYNTAX.test(line);
    if (!isWhole && !PYTHON_START.test(line)) return false;
    if (!this.isChain) this.readCause(this.before[1]);
    this.isChain = false;
    this.python = { start: this.count, isGroup: line.startsWith('  + '), isWhole };
    return true;
  }

  /** The line above a traceback shows whether the error was handled. */
  private readCause(above: string): void {
    const isAside = PYTHON_ASIDE.test(above);
    const isLogged = !isAside && LOG_RECORD.test(above);
    this.endsProgram = !isAside && !isLogged;
    if (isLogged) this.uncaught = null;
  }

  /** Below a caret there is the error (Node), or frames of the error above the excerpt (Deno, Ruby). */
  private readCaret(): void {
    if (EXCERPT.test(this.before[0])) this.thrown = 'next';
    if (this.last?.at === this.count - 1 && this.previous) this.last = this.previous;
  }

  private readEnd(last: Found): void {
    this.last = this.uncaught = { ...((this.thrown as Found | null) ?? last), language: 'node' };
    this.thrown = null;
  }

  /** The name of an error is in the first line of its message. */
  private readFrame(last: Found): void {
    const first = (this.thrown as Found | null) ?? (NAMED_ERROR.test(last.text) ? null : this.named);
    this.last = first ?? last;
    this.last.open = null;
    this.named = null;
  }

  private continues(line: string, { text }: Found): boolean {
    if (GO_GOROUTINE.test(line)) this.isGo ||= GO_PANIC.test(text);
    if (/^\s/.test(line) || CONTINUES.test(line)) return true;
    if (this.isGo && GO_STACK.test(line)) return true;
    // Ruby prints the causes of an error after it.
    return RUBY_ERROR.test(line) && RUBY_ERROR.test(text) && /^\s/.test(this.before[1]);
  }

  private found(line: string, language: FailureLines['language'] = null, start = this.count): Found {
    const open = openOf(line);
    const text = open === 'brackets' ? line : line.replace(/ \{$/, '');
    this.previous = this.last;
    this.last = { text: text.trim(), language, start, at: this.count, open, isWhole: true };
    if (ERROR.test(line)) this.named = this.last;
    this.isGo = false;
    return this.last;
  }

  /** Adds a line to a text that says nothing without it. */
  private append(line: string): boolean {
    const { last } = this;
    if (!last?.open) return false;
    const isClosing = last.open === 'brackets' && /^[}\])]/.test(line);
    const belongs =
      isClosing ||
      /^\s/.test(line) ||
      (last.open === 'colon' && (last.language !== null || ERRORS.test(last.text)));
    if (!belongs || JAVASCRIPT_FRAME.test(line) || (!isClosing && CONTINUES.test(line))) {
      last.open = null;
      return false;
    }
    if (last.text.length < MAX_TEXT_LENGTH) last.text += ` ${line.trim()}`;
    if (isClosing || last.open === 'colon') last.open = null;
    return true;
  }
}

/** Whether a text goes on below: after a colon, or until brackets close. The properties of an error are left out. */
function openOf(line: string): Found['open'] {
  if (line.endsWith(':')) return 'colon';
  return /^[\w$.: [\]()]*[{[]$/.test(line) && !/^\[?(?!Object:)[\w$.]+: ./.test(line) ? 'brackets' : null;
}

/** An error that was printed and handled is followed by another end. */
function exitsWith(code: number | null, { language, text }: FailureLines): boolean {
  if (language === 'node') return code === 1 || code === 7;
  return code === 1 || ((code === null || code === 130) && text.startsWith('KeyboardInterrupt'));
}

/** The text cannot be read as the server would read it for sure. The message is a clause. */
export class Unreadable extends Error {}

/** The text has more words than are read of one. */
export class TooManyWords extends Error {}

export interface Token {
  /**
   * `word` is a bare identifier or keyword in lower case; `name` one in double quotes; `escaped` a string of which the
   * server reads something else than what stands there (E'...', U&'...').
   */
  kind: 'word' | 'name' | 'string' | 'escaped' | 'number' | 'parameter' | 'sign';
  /** A string's content; a name as the server cuts it; a sign's one character. */
  text: string;
}

export interface Lexed {
  tokens: Token[];
  /** Whether it reads otherwise under other settings of strings or encoding than the gate's. */
  isAmbiguous: boolean;
}

/** Judging takes time of a thread that serves all runs: some ten milliseconds for as many. */
export const MAX_WORDS = 50_000;
/** Of a longer name PostgreSQL takes as much: NAMEDATALEN - 1. */
export const MAX_NAME_BYTES = 63;
const LINE_COMMENT = /--[^\n\r]*/y;
const COMMENT_EDGE = /\/\*|\*\//g;
const NUMBER =
  /(?:0[xX][0-9a-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|(?:[0-9][0-9_]*(?:\.(?!\.)[0-9_]*)?|\.[0-9][0-9_]*)(?:[eE][+-]?[0-9_]+)?)/y;
const PARAMETER = /\$[0-9]+/y;
const DOLLAR_TAG = /\$(?:[A-Za-z_\x80-\xff][A-Za-z0-9_\x80-\xff]*)?\$/y;
const [SPACE, DIGIT, LETTER, SIGN] = [0, 1, 2, 3] as const;
/** What a byte is where a token begins. `$` goes on with a word, and begins none. */
const CLASSES = Uint8Array.from({ length: 256 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[ \t\n\r\f\v]/.test(character)) return SPACE;
  if (/[0-9]/.test(character)) return DIGIT;
  return /[A-Za-z_\x80-\xff]/.test(character) ? LETTER : SIGN;
});
const DOLLAR = 0x24;
const SIGNS = Array.from({ length: 256 }, (_, code): Token => ({
  kind: 'sign',
  text: String.fromCharCode(code),
}));
const PREFIX = /^[bxneu]$/;
/** In some encodings these are the second half of a character. */
const SPLIT_CHARACTER = /[\x80-\xff][@[\\\]^`{|}~]/;

/**
 * Reads SQL as PostgreSQL's own scanner does with `standard_conforming_strings` on, and refuses what versions of it, or
 * settings that can change on the way, read in different ways.
 *
 * @param sql one character a byte
 * @throws Unreadable
 */
export function lex(sql: string): Lexed {
  return new Lexer(sql).read();
}

class Lexer {
  private readonly tokens: Token[] = [];
  private isAmbiguous = false;
  private at = 0;
  /** How many tokens there were after the last string in which a backslash hides a quote (E'...'). */
  private afterBackslashes = 0;

  constructor(private readonly sql: string) {
    this.isAmbiguous = SPLIT_CHARACTER.test(sql);
  }

  read(): Lexed {
    const { sql, tokens } = this;
    while (this.at < sql.length) {
      const code = sql.charCodeAt(this.at);
      if (CLASSES[code] === SPACE) this.at += 1;
      else this.readOne(code);
      if (tokens.length > MAX_WORDS) throw new TooManyWords();
    }
    return { tokens, isAmbiguous: this.isAmbiguous };
  }

  private readOne(code: number): void {
    if (CLASSES[code] === LETTER) return this.readWord();
    if (CLASSES[code] === DIGIT) return this.readNumber();
    const { sql, at } = this;
    const next = sql[at + 1];
    switch (sql[at]) {
      case "'":
        return this.readString('string');
      case '"':
        return this.readName();
      case '$':
        return this.readDollar();
      case '-':
        if (next === '-') return void this.match(LINE_COMMENT);
        break;
      case '/':
        if (next === '*') return this.skipComment();
        break;
      case '.':
        if (CLASSES[sql.charCodeAt(at + 1)] === DIGIT) return this.readNumber();
        break;
      default:
    }
    this.at += 1;
    this.tokens.push(SIGNS[code]!);
  }

  /** One letter before a quote says what kind of string it is; `U&` stands before strings and names. */
  private readWord(): void {
    const { sql } = this;
    const begin = this.at;
    let at = begin + 1;
    for (let code = sql.charCodeAt(at); goesOn(code); code = sql.charCodeAt(at)) at += 1;
    this.at = at;
    const word = sql.slice(begin, Math.min(at, begin + MAX_NAME_BYTES)).toLowerCase();
    if (word === 'u' && sql[at] === '&' && (sql[at + 1] === "'" || sql[at + 1] === '"')) {
      if (sql[at + 1] === '"') throw new Unreadable('it has a name with Unicode escapes (U&"...")');
      this.at += 1;
      return this.readString('escaped', false);
    }
    if (PREFIX.test(word) && word !== 'u' && sql[at] === "'")
      return this.readString(word === 'e' ? 'escaped' : 'string');
    this.push('word', word);
  }

  private readString(kind: 'string' | 'escaped', hasBackslashes = kind === 'escaped'): void {
    const { sql, tokens } = this;
    // On the next line it goes on as an escaped one.
    if (tokens.length > 0 && tokens.length === this.afterBackslashes)
      throw new Unreadable("a string follows an escaped one (E'...')");
    let end = this.at + 1;
    for (; ; end++) {
      const character = sql[end];
      if (character === undefined) throw new Unreadable('a string does not end');
      if (character === '\\') {
        if (hasBackslashes) end += 1;
        // Without standard_conforming_strings it would go on.
        else if (sql[end + 1] === "'") this.isAmbiguous = true;
      } else if (character === "'") {
        if (sql[end + 1] !== "'") break;
        end += 1;
      }
    }
    if (end >= sql.length) throw new Unreadable('a string does not end');
    this.push(kind, sql.slice(this.at + 1, end).replaceAll("''", "'"));
    if (hasBackslashes) this.afterBackslashes = tokens.length;
    this.at = end + 1;
  }

  private readName(): void {
    const { sql } = this;
    let end = this.at + 1;
    for (; sql[end] !== '"' || sql[end + 1] === '"'; end++) {
      if (end >= sql.length) throw new Unreadable('a name does not end');
      if (sql[end] === '"') end += 1;
    }
    this.push(
      'name',
      sql
        .slice(this.at + 1, end)
        .replaceAll('""', '"')
        .slice(0, MAX_NAME_BYTES),
    );
    this.at = end + 1;
  }

  private readDollar(): void {
    const { sql } = this;
    const parameter = this.match(PARAMETER);
    if (parameter !== null) return this.pushNumber('parameter', parameter);
    const tag = this.match(DOLLAR_TAG);
    if (tag === null) throw new Unreadable('it has a $ that begins nothing');
    const end = sql.indexOf(tag, this.at);
    if (end < 0) throw new Unreadable('a string does not end');
    this.push('string', sql.slice(this.at, end));
    this.at = end + tag.length;
  }

  private readNumber(): void {
    this.pushNumber('number', this.match(NUMBER) ?? '');
  }

  /** Older servers take letters behind a number for the next word, or for the kind of a string. */
  private pushNumber(kind: 'number' | 'parameter', text: string): void {
    if (CLASSES[this.sql.charCodeAt(this.at)] === LETTER) throw new Unreadable('a number runs into a word');
    this.push(kind, text);
  }

  private skipComment(): void {
    COMMENT_EDGE.lastIndex = this.at;
    for (let depth = 0; ;) {
      const edge = COMMENT_EDGE.exec(this.sql)?.[0];
      if (edge === undefined) throw new Unreadable('a comment does not end');
      depth += edge === '/*' ? 1 : -1;
      if (depth === 0) break;
    }
    this.at = COMMENT_EDGE.lastIndex;
  }

  private match(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.sql)?.[0] ?? null;
    if (found !== null) this.at += found.length;
    return found;
  }

  private push(kind: Token['kind'], text: string): void {
    this.tokens.push({ kind, text });
  }
}

/** Whether a byte belongs to the word before it. */
function goesOn(code: number): boolean {
  return CLASSES[code] === LETTER || CLASSES[code] === DIGIT || code === DOLLAR;
}

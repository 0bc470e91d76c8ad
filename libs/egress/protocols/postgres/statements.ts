import type { Token } from './lexer.js';

/** `EXECUTE` may name a prepared one of these; `DISCARD ALL` and `CALL` have ends of their own. */
const ENDS = new Set(['abort', 'call', 'commit', 'discard', 'do', 'end', 'execute', 'rollback']);

/** At each semicolon outside of brackets, as the grammar has it. Empty ones are left out. */
export function split(tokens: readonly Token[]): Token[][] {
  const statements: Token[][] = [];
  let current: Token[] = [];
  let depth = 0;
  for (const token of tokens) {
    if (is(token, '(')) depth += 1;
    if (is(token, ')')) depth = Math.max(0, depth - 1);
    if (depth === 0 && is(token, ';')) {
      statements.push(current);
      current = [];
    } else current.push(token);
  }
  statements.push(current);
  return statements.filter((statement) => statement.length > 0);
}

/** Whether a token is this bare word (lower case), or this sign. */
export function is(token: Token | undefined, text: string): boolean {
  return token !== undefined && (token.kind === 'word' || token.kind === 'sign') && token.text === text;
}

/** Whether it is an identifier: bare or in quotes. */
export function isIdentifier(token: Token | undefined): token is Token {
  return token?.kind === 'word' || token?.kind === 'name';
}

/** Whether its transaction may be over with it. */
export function isEnd([first, second, third]: Token[]): boolean {
  if (first?.kind !== 'word') return false;
  // ROLLBACK TO a savepoint.
  const work = is(second, 'work') || is(second, 'transaction') ? third : second;
  if (first.text === 'rollback' && is(work, 'to')) return false;
  if (first.text === 'reset') return is(second, 'all');
  if (first.text === 'prepare') return is(second, 'transaction');
  return ENDS.has(first.text);
}

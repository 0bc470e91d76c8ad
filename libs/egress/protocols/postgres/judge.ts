import { doesMore, runsText } from './forbidden-functions.js';
import { lex, MAX_WORDS, type Token, TooManyWords, Unreadable } from './lexer.js';
import type { SqlError } from './messages.js';
import type { PostgresOptions } from './postgres-options.js';
import { readOnlyProblem } from './read-only-statements.js';
import { sessionProblem, settingProblem } from './session-statements.js';
import { is, isEnd, isIdentifier, split } from './statements.js';

/** What is known of SQL before it goes on. */
export interface Judgement {
  /** null: it may go. */
  refusal: SqlError | null;
  /** Whether its transaction may be over with it. */
  ends: boolean;
  /** Whether settings that the statements before it changed would let it be read otherwise. */
  isAmbiguous: boolean;
}

const READ_ONLY = '25006';
const NOT_ALLOWED = '42501';
const SET_CONFIG = 'set_config';
const HINT = 'What a connection may do is part of the host in the version of the script.';
const TOO_MANY_WORDS = refusal(
  '54000',
  `The gate reads statements of at most ${MAX_WORDS} words on this connection.`,
  'Send the data as parameters, or by several statements.',
);

/** SQL as the judges have it. */
export interface ReadSql {
  statements: Token[][];
  isAmbiguous: boolean;
  /** Why it cannot be read, or null. */
  problem: SqlError | null;
}

/** @param sql as it came, without the NUL at its end */
export function readSql(sql: Buffer): ReadSql {
  try {
    const { tokens, isAmbiguous } = lex(sql.toString('latin1'));
    return { statements: split(tokens), isAmbiguous, problem: null };
  } catch (error) {
    const unread = { statements: [], isAmbiguous: false };
    if (error instanceof TooManyWords) return { ...unread, problem: TOO_MANY_WORDS };
    if (!(error instanceof Unreadable)) throw error;
    const message = `The gate cannot read this statement for sure: ${error.message}.`;
    return { ...unread, problem: refusal(NOT_ALLOWED, message, 'Write it in a plainer way.') };
  }
}

/** Decides on the wire which SQL of a session may go on. */
export class Judge {
  constructor(private readonly policy: Pick<PostgresOptions, 'readOnly' | 'role' | 'statementTimeoutMs'>) {}

  judge(sql: Buffer): Judgement {
    return this.judgeRead(readSql(sql));
  }

  judgeRead({ statements, isAmbiguous, problem }: ReadSql): Judgement {
    return { refusal: problem ?? this.problem(statements), ends: statements.some(isEnd), isAmbiguous };
  }

  private problem(statements: Token[][]): SqlError | null {
    const { readOnly, role } = this.policy;
    const isKept = readOnly || role !== null;
    const among = isKept ? statements.findIndex((one, at) => isEnd(one) && at < statements.length - 1) : -1;
    if (among >= 0)
      return refusal(
        NOT_ALLOWED,
        'Statements after the end of a transaction do not pass the gate in the same message.',
        'Send each transaction for itself.',
      );
    for (const statement of statements) {
      const problem = this.statementProblem(statement);
      if (problem) return problem;
    }
    return null;
  }

  private statementProblem(statement: Token[]): SqlError | null {
    const { readOnly, role, statementTimeoutMs } = this.policy;
    const isHeld = role !== null || statementTimeoutMs !== null;
    const session = sessionProblem(statement, this.policy);
    if (session !== null) return refusal(NOT_ALLOWED, session, HINT);
    const called = this.callProblem(statement);
    if (called !== null) return called;
    if (readOnly) {
      const problem = readOnlyProblem(statement);
      if (problem !== null)
        return refusal(READ_ONLY, `${capitalized(problem)}: this connection only reads.`, HINT);
    }
    if (isHeld && definesCode(statement))
      return refusal(
        NOT_ALLOWED,
        'Code that would run in the database, and what names functions, such as an aggregate, does not pass the gate: it could change the role or the time-out.',
        HINT,
      );
    if (isHeld && writesPgSettings(statement))
      return refusal(NOT_ALLOWED, 'The view pg_settings can only be read through the gate.', HINT);
    return null;
  }

  private callProblem(statement: Token[]): SqlError | null {
    for (let at = 0; at < statement.length; at++) {
      const { kind, text } = statement[at]!;
      if (kind !== 'word' && kind !== 'name') continue;
      const isCalled = is(statement[at + 1], '(');
      if (!isCalled && text.length !== SET_CONFIG.length) continue;
      const problem = this.nameProblem(statement, at, isCalled);
      if (problem) return problem;
    }
    return null;
  }

  private nameProblem(statement: Token[], at: number, isCalled: boolean): SqlError | null {
    const name = statement[at]!.text.toLowerCase();
    if (name === SET_CONFIG) {
      const problem = settingProblem(statement, at, this.policy);
      if (problem !== null) return refusal(NOT_ALLOWED, problem, HINT);
    }
    if (!isCalled || !(runsText(name) || (this.policy.readOnly && doesMore(name)))) return null;
    const code = this.policy.readOnly ? READ_ONLY : NOT_ALLOWED;
    return refusal(code, `${shownFunction(name)} does not pass the gate on this connection.`, HINT);
  }
}

/** What a client has written goes into a line of the log only in its plainest form. */
function shownFunction(name: string): string {
  return /^[a-z0-9_]{1,63}$/.test(name) ? `The function ${name}` : 'A function of that name';
}

/** What CREATE and ALTER may be of: they hold data, or expressions that are judged as any other. */
const DATA = new Set([
  ...[
    'collation',
    'database',
    'default',
    'domain',
    'group',
    'index',
    'policy',
    'publication',
    'role',
    'rule',
    'schema',
  ],
  ...['sequence', 'statistics', 'table', 'tablespace', 'trigger', 'type', 'user', 'view'],
]);
const BEFORE_KIND = new Set([
  ...[
    'constraint',
    'foreign',
    'global',
    'local',
    'materialized',
    'or',
    'recursive',
    'replace',
    'temp',
    'temporary',
  ],
  ...['unique', 'unlogged'],
]);

/** DO, or CREATE or ALTER of what else there is: it names functions, also in strings, as an aggregate does. */
function definesCode([first, ...more]: Token[]): boolean {
  if (is(first, 'do')) return true;
  const creates = is(first, 'create');
  if (!creates && !is(first, 'alter')) return false;
  const kind = more.find(({ kind, text }) => kind !== 'word' || !BEFORE_KIND.has(text));
  if (kind?.kind !== 'word' || !DATA.has(kind.text)) return true;
  if (!creates) return false;
  // A schema is created with what is in it.
  if (kind.text === 'schema') return more.some((token) => is(token, 'create'));
  return kind.text === 'type' && !isPlainType(more);
}

/** Of named values or fields. Any other has functions of its own. */
function isPlainType(words: Token[]): boolean {
  const kind = words[words.findIndex((token) => is(token, 'as')) + 1];
  return is(kind, 'enum') || is(kind, '(');
}

/** What writes, or stands for a table of which others may be written. */
const CHANGES = new Set(['delete', 'insert', 'merge', 'rule', 'update', 'view']);

/** To update pg_settings is to call set_config. */
export function writesPgSettings(statement: Token[]): boolean {
  return (
    statement.some((token) => isIdentifier(token) && token.text.toLowerCase() === 'pg_settings') &&
    statement.some(({ kind, text }) => kind === 'word' && CHANGES.has(text))
  );
}

function capitalized(clause: string): string {
  return `${clause.charAt(0).toUpperCase()}${clause.slice(1)}`;
}

function refusal(code: string, message: string, hint: string): SqlError {
  return { severity: 'ERROR', code, message, hint };
}

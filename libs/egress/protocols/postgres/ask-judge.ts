import { HIDDEN_SETTING } from './ask-refusals.js';
import { type Judgement, Judge, readSql } from './judge.js';
import type { Token } from './lexer.js';
import type { SqlError } from './messages.js';
import type { PostgresOptions } from './postgres-options.js';
import { is } from './statements.js';
import { changedSettings, hidesSetting } from './told-settings.js';

/** What else is known of SQL where a person is asked about whatever may write. */
export interface AskJudgement extends Judgement {
  /** Nobody but a person can let it pass. */
  asks: boolean;
  /** It is BEGIN and nothing else. */
  begins: boolean;
  /** It is SET TRANSACTION and nothing else, and may come before what writes. */
  setsModes: boolean;
  /** It only moves within or out of a transaction, whatever that may do. */
  isControl: boolean;
  /** What it changes of how those behind it are read, as text. */
  settings: string[];
}

const CONTROL = new Set(['abort', 'commit', 'end', 'release', 'rollback', 'savepoint']);

/** Judges for a connection whose statements that may write wait for a person. */
export class AskJudge {
  private readonly reading: Judge;
  private readonly own: Judge;

  /** @param options those of the host */
  constructor(options: PostgresOptions) {
    this.reading = new Judge({ ...options, readOnly: true });
    this.own = new Judge({ ...options, readOnly: false });
  }

  /** Throws nothing: what cannot be read is refused. */
  judge(sql: Buffer): AskJudgement {
    const read = readSql(sql);
    const reading = this.reading.judgeRead(read);
    const asks = reading.refusal !== null;
    const known = asks ? this.own.judgeRead(read) : reading;
    const refusal = known.refusal ?? neverPasses(read.statements, asks);
    if (refusal !== null) return { ...known, ...NO_KIND, refusal, asks: false, settings: [] };
    const kind = asks ? NO_KIND : kindOf(read.statements);
    return { ...known, ...kind, asks, settings: changedSettings(read.statements) };
  }
}

const NO_KIND = { begins: false, setsModes: false, isControl: false };

function kindOf(statements: Token[][]): typeof NO_KIND {
  const [[first, second, third] = []] = statements;
  if (!first || statements.length > 1) return NO_KIND;
  return {
    begins: is(first, 'begin') || is(first, 'start'),
    // A snapshot would be lost where the transaction begins again.
    setsModes: is(first, 'set') && is(second, 'transaction') && !is(third, 'snapshot'),
    isControl: first.kind === 'word' && CONTROL.has(first.text),
  };
}

function neverPasses(statements: Token[][], asks: boolean): SqlError | null {
  if (hidesSetting(statements)) return HIDDEN_SETTING;
  for (const statement of statements) {
    const message = whyNever(statement, asks);
    if (message !== null) return { severity: 'ERROR', code: '42501', message };
  }
  return null;
}

/** Of what a person could not be shown: why it does not pass, as a sentence. */
function whyNever(statement: Token[], asks: boolean): string | null {
  const [first, second] = statement;
  // By it, what was prepared to be asked about would run without.
  if (runsPrepared(statement)) return 'EXECUTE does not pass the gate here. Send the statement itself.';
  if (asks && is(first, 'copy'))
    return 'COPY into a table does not pass the gate here: a person could not be shown its rows. Use INSERT.';
  if (asks && is(first, 'prepare') && !is(second, 'transaction'))
    return 'PREPARE passes the gate here only for a SELECT. Send the statement itself.';
  return null;
}

/** EXECUTE, also within EXPLAIN or CREATE TABLE ... AS. */
function runsPrepared(statement: Token[]): boolean {
  const [first] = statement;
  return statement.some(
    (token, at) => is(token, 'execute') && (at === 0 || is(first, 'explain') || is(statement[at - 1], 'as')),
  );
}

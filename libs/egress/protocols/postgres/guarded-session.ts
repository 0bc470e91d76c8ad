import { randomBytes } from 'node:crypto';
import { EndingNames } from './ending-names.js';
import type { Judgement } from './judge.js';
import { cstring, IDLE, message, query, type SqlError } from './messages.js';
import type { PostgresOptions } from './postgres-options.js';
import { PreparedStatements } from './prepared-statements.js';

const PARSE = 0x50; // P
const BIND = 0x42; // B
const EXECUTE = 0x45; // E
const CLOSE = 0x43; // C
const SYNC = 0x53; // S

/**
 * What the gate knows of a session whose SQL it judges: whose turn it is, and whether a transaction is open.
 *
 * After each Query or Sync the client's next message waits for the server's ReadyForQuery. So before each transaction
 * the gate can set the session's settings again.
 */
export class GuardedSession {
  /** A word that makes the server refuse a statement in our stead, which keeps both sides in step. */
  readonly marker = `gatehouse_refused_${randomBytes(8).toString('hex')}`;
  /** Sets again what a function may have changed. */
  readonly settings: Buffer;
  /** The same, and lets what follows write. */
  private readonly writing: Buffer[];
  /** What the client is told when the server refuses the marker. */
  refusal: SqlError | null = null;
  /** What the client waits for, and its next message with it. */
  awaited: 'query' | 'sync' | null = null;
  /** What the server has yet to end, in this order: statements of our own, or a group of the client's that we have ended. */
  private readonly owed: ('statements' | 'group')[] = [];
  private groupIsOver: () => void = () => undefined;
  /** Whether it is of consequence in which transaction a statement runs. */
  private readonly isKept: boolean;
  private isCopying = false;
  private hasEndedCopy = false;
  /** Something of a group has gone on that is not over. */
  isOpen = false;
  /** A person has let the transaction write. */
  isWritable = false;
  private isIdle = true;
  /** The transaction has begun, and nothing has run in it. */
  private isFresh = false;
  /** In an earlier group: since then something may have been prepared, after which the server lets it write no more. */
  private isStale = false;
  private hasBegun = false;
  /** Something of this group may have run. */
  private hasRun = false;
  private hasExecuted = false;
  private hasFailed = false;
  /** Of the statements of this group, one that has run may have ended the transaction. */
  private hasEnded = false;
  private readonly statements = new EndingNames();
  /** They live as long as a transaction, which may be of many groups. */
  private readonly portals = new EndingNames();
  /** Where a person is asked: those that may write. */
  readonly prepared = new PreparedStatements();

  constructor({
    readOnly,
    role,
    statementTimeoutMs: most,
  }: Pick<PostgresOptions, 'readOnly' | 'role' | 'statementTimeoutMs'>) {
    this.isKept = readOnly || role !== null;
    const kept = (mode: string | null): Buffer[] =>
      [
        'SET standard_conforming_strings = on',
        ...(role === null ? [] : [`SET ROLE "${role.replaceAll('"', '""')}"`]),
        ...(mode === null ? [] : [`SET default_transaction_read_only = ${mode}`]),
        ...(most === null ? [] : [timeLimit(most)]),
      ].map((sql) => this.statement(sql));
    this.settings = Buffer.concat([...kept(readOnly ? 'on' : null), message(SYNC)]);
    this.writing = kept('off');
  }

  /** The server responds to our own statements. */
  get isSwallowing(): boolean {
    return this.owed[0] === 'statements';
  }

  /** Nothing may fail meanwhile. */
  get isOwed(): boolean {
    return this.owed.length > 0;
  }

  /** The server is ready. @returns whether for something of ours */
  takesOwed(): boolean {
    const owed = this.owed.shift();
    if (owed === 'group') this.groupIsOver();
    return owed !== undefined;
  }

  /** Whether nothing of this group has run: it can be ended before what comes next. */
  get isUntouched(): boolean {
    return !this.isOpen || !(this.hasRun || this.hasFailed);
  }

  /** Whether a statement that may write would run in a transaction that may. */
  get mayWrite(): boolean {
    return this.isWritable || (this.isUntouched && (this.isIdle || this.isFresh));
  }

  /** Ends a group of which nothing has run. @returns when that has gone well, which it may never have */
  endsGroup(): Promise<void> {
    this.isOpen = false;
    this.isStale = true;
    this.owed.push('group');
    return new Promise((resolve) => (this.groupIsOver = resolve));
  }

  /** Lets the next statement write. @param parse what prepares it, at the beginning of a group only @returns what goes before it */
  opens(parse: readonly Buffer[]): Buffer | null {
    const isFirst = !this.isOpen;
    const setting = this.isIdle ? this.writing : this.letsWrite();
    const before = [...(isFirst && !this.isWritable ? setting : []), ...parse];
    this.isOpen = this.isWritable = true;
    if (before.length === 0) return null;
    this.owed.push('statements');
    return Buffer.concat([...before, message(SYNC)]);
  }

  /** Behind what was prepared the transaction begins again, as it was begun: nothing is lost by it. */
  private letsWrite(): Buffer[] {
    const again = this.isStale ? ['ROLLBACK AND CHAIN'] : [];
    return [...again, 'SET TRANSACTION READ WRITE'].map((sql) => this.statement(sql));
  }

  /** BEGIN has gone on, alone in its group as far as that has come. */
  begins(): void {
    this.hasBegun = this.isIdle;
  }

  /** SET TRANSACTION has gone on, alone in its group: in a transaction that begins again, it holds. */
  setsModes(): void {
    this.hasRun = false;
  }

  /** A message begins or goes on with what ends in a Query or Sync. @returns whether the settings have to go first */
  begin(): boolean {
    const isFirst = !this.isOpen && this.isIdle;
    this.isOpen = true;
    if (isFirst) this.owed.push('statements');
    return isFirst;
  }

  /** @returns why a Query may not pass here, or null */
  queried({ refusal, isAmbiguous }: Judgement): SqlError | null {
    this.hasBegun = false;
    if (refusal) return refusal;
    if (this.hasEnded) return AFTER_END;
    return isAmbiguous && this.hasExecuted ? AMBIGUOUS : null;
  }

  /** @returns why a statement may not be parsed here, or null */
  parsed(name: string, judgement: Judgement): SqlError | null {
    const refusal = this.queried(judgement);
    if (refusal) return refusal;
    return this.statements.give(name, judgement.ends && this.isKept) ? null : TOO_MANY;
  }

  /** @param portal which is to run a statement. null, either: it was too long to be read */
  bound(portal: string | null, name: string | null): SqlError | null {
    this.hasBegun = false;
    this.hasRun = true;
    if (this.hasEnded) return AFTER_END;
    return this.portals.give(portal, this.isKept && this.statements.has(name)) ? null : TOO_MANY;
  }

  executed(portal: string): SqlError | null {
    this.hasBegun = false;
    if (this.hasEnded) return AFTER_END;
    this.hasEnded = this.isKept && this.portals.has(portal);
    this.hasExecuted = true;
    return null;
  }

  /** A Query or a Sync has gone on. */
  closed(by: 'query' | 'sync'): void {
    // While it copies in, the server skips what is no copy message.
    if (this.isCopying && by === 'sync') return;
    if (by === 'query') this.hasRun = true;
    this.awaited = by;
    this.isOpen = false;
  }

  failed(): void {
    this.hasFailed = true;
    this.isCopying = false;
  }

  /** The client has no more rows. */
  endsCopy(): void {
    this.isCopying = false;
    this.hasEndedCopy = true;
  }

  /** The server takes rows: a Sync that came before them is not responded to. */
  copies(): void {
    // That Sync came behind the rows, and counts.
    if (this.hasEndedCopy) return;
    this.isCopying = true;
    if (this.awaited !== 'sync') return;
    this.awaited = null;
    this.isOpen = true;
  }

  /** The server is ready for the next Query or group. @param status its one byte */
  ready(status: number): void {
    this.isIdle = status === IDLE;
    this.isStale = !this.hasBegun;
    this.isFresh = (this.hasBegun || (this.isFresh && !this.hasRun)) && !this.isIdle && !this.hasFailed;
    this.hasBegun = this.hasRun = false;
    if (this.isIdle) this.isWritable = false;
    this.statements.settle(this.hasFailed);
    this.portals.settle(this.hasFailed);
    this.prepared.settle(this.hasFailed);
    if (this.isIdle) this.portals.clear();
    this.isOpen = false;
    this.isCopying = false;
    this.hasEndedCopy = false;
    this.hasExecuted = false;
    this.hasFailed = false;
    this.hasEnded = false;
    this.awaited = null;
    this.refusal = null;
  }

  /** By a name: a Query, or one without, would make the server forget the client's own unnamed statement. */
  private statement(sql: string): Buffer {
    const name = cstring(this.marker);
    return Buffer.concat([
      message(PARSE, name, cstring(sql), Buffer.alloc(2)),
      message(BIND, cstring(''), name, Buffer.alloc(6)),
      message(EXECUTE, cstring(''), Buffer.alloc(4)),
      message(CLOSE, Buffer.from('S'), name),
    ]);
  }

  /** What goes to the server instead of a refused message. */
  instead(of: 'query' | 'message', refusal: SqlError): Buffer {
    this.refusal ??= refusal;
    this.hasFailed = true;
    return of === 'query'
      ? query(this.marker)
      : message(PARSE, cstring(this.marker), cstring(this.marker), Buffer.alloc(2));
  }
}

/** The client may have set less, which stays. Named in full: the client chooses the search path. */
function timeLimit(most: number): string {
  const now = "pg_catalog.current_setting('statement_timeout')::pg_catalog.interval";
  const longest = `pg_catalog.make_interval(secs => ${most / 1000})`;
  return `SELECT pg_catalog.set_config('statement_timeout', '${most}', false)
    WHERE ${now} OPERATOR(pg_catalog.<=) pg_catalog.make_interval() OR ${now} OPERATOR(pg_catalog.>) ${longest}`;
}

const AFTER_END = problem('After the end of a transaction, the gate lets statements pass only after a Sync.');
const AMBIGUOUS = problem(
  'This statement could be read in two ways after those before it. Send it after a Sync, or use a parameter for its strings.',
);
const TOO_MANY = problem('Too many prepared statements or portals end a transaction.');

function problem(text: string): SqlError {
  return { severity: 'ERROR', code: '42501', message: text };
}

import type { ByteBudget } from '../../byte-budget.js';
import type { Refusal } from '../../refusal.js';
import type { AskJudge, AskJudgement } from './ask-judge.js';
import {
  NOT_AT_ONCE,
  NOT_FIRST,
  NOT_SHOWN,
  refusal,
  TOO_LONG,
  TOO_MANY,
  TOO_MANY_SETTINGS,
} from './ask-refusals.js';
import { type AskedStatement, askedStatement } from './asked-statement.js';
import { type ClientMessage, clientMessage, namesIn } from './client-messages.js';
import type { Ends } from './ends.js';
import type { Verdict } from './frames.js';
import { GuardedClient } from './guarded-relay.js';
import type { GuardedSession } from './guarded-session.js';
import { bodyOf, cstringAt, message, type SqlError } from './messages.js';
import { parseAnew, type PreparedStatements } from './prepared-statements.js';
import type { ToldSettings } from './told-settings.js';

/** null: it may be sent. */
export type AskAbout = (statement: AskedStatement, gone: AbortSignal) => Promise<Refusal | null>;

/** Messages of one statement that go on together, or not at all. */
interface Chain {
  messages: Buffer[];
  statement: string;
  sql: Buffer;
  judgement: AskJudgement;
  /** Whether its Parse is among the messages; otherwise it is prepared anew, as it was shown. */
  isParsed: boolean;
  /** Of its Bind. */
  portal: string | null;
  bind: Buffer | null;
}

const MOST_MESSAGES = 8;
const SYNC = message(0x53);
const STATEMENT = 0x53; // S

/** Lets pass what only reads. What may write waits whole until a person has said yes. */
export class AskingClient extends GuardedClient {
  private readonly gone = new AbortController();
  private chain: Chain | null = null;
  private isDeciding = false;
  /** The unnamed statement of this group only ends a transaction, or begins one. */
  private unnamed: 'control' | 'begin' | null = null;
  /** A portal of it. */
  private portal: string | null = null;

  constructor(
    ends: Ends,
    session: GuardedSession,
    private readonly askJudge: AskJudge,
    budget: ByteBudget,
    private readonly ask: AskAbout,
    private readonly settings: ToldSettings,
  ) {
    super(ends, session, askJudge, budget);
  }

  override close(): void {
    super.close();
    this.gone.abort();
  }

  override header(type: number, length: number): Verdict {
    if (this.isDeciding) return 'stop';
    const verdict = super.header(type, length);
    if (verdict !== 'announce') return verdict;
    // All that belongs to a statement is read, so a Bind that is too long for it is not sent.
    return clientMessage(type, length) === 'sync' ? 'hold' : 'drop';
  }

  override held(type: number, whole: Buffer): void {
    const kind = clientMessage(type, whole.length)!;
    if (this.chain) return this.goOn(this.chain, kind, type, whole);
    const body = bodyOf(whole);
    switch (kind) {
      case 'query':
        return this.query(type, whole, cstringAt(body, 0));
      case 'parse':
        return this.parse(type, whole, body);
      case 'bind':
        return this.bind(type, whole, body);
      case 'execute':
        return this.execute(type, whole, cstringAt(body, 0)?.toString('latin1') ?? null);
      case 'sync':
        this.unnamed = this.portal = null;
        this.session.closed('sync');
        return this.ends.toServer.write(whole);
      case 'close':
        if (body[0] === STATEMENT) this.prepared.forget(cstringAt(body, 1)?.toString('latin1') ?? '');
        return super.held(type, whole);
      default:
        return super.held(type, whole);
    }
  }

  override dropped(type: number): void {
    this.chain = null;
    this.giveBack();
    super.dropped(type);
  }

  private query(type: number, whole: Buffer, sql: Buffer | null): void {
    this.unnamed = this.portal = null;
    const judgement = sql && this.askJudge.judge(sql);
    // A part of what is longer would be read as another statement.
    const isWhole = sql?.length === bodyOf(whole).length - 1;
    if (!sql || !judgement || !isWhole || !this.isAskedAbout(judgement)) {
      const isAlone = !this.session.isOpen;
      super.held(type, whole, judgement ?? undefined);
      if (judgement) this.settings.note(judgement.settings);
      if (isAlone && judgement?.begins) this.session.begins();
      if (isAlone && judgement?.setsModes) this.session.setsModes();
      return;
    }
    const chain = {
      messages: [whole],
      statement: '',
      sql,
      judgement,
      isParsed: true,
      portal: null,
      bind: null,
    };
    this.decide(chain);
  }

  private parse(type: number, whole: Buffer, body: Buffer): void {
    const name = cstringAt(body, 0);
    const sql = name && cstringAt(body, name.length + 1);
    if (!name || !sql) return super.held(type, whole);
    const judgement = this.askJudge.judge(sql);
    const statement = name.toString('latin1');
    this.prepared.forget(statement);
    const begins = judgement.begins && !this.session.isOpen;
    this.unnamed = statement !== '' ? null : judgement.isControl ? 'control' : begins ? 'begin' : null;
    if (!this.isAskedAbout(judgement)) {
      this.settings.note(judgement.settings);
      return super.held(type, whole, judgement);
    }
    this.chain = { messages: [whole], statement, sql, judgement, isParsed: true, portal: null, bind: null };
  }

  private bind(type: number, whole: Buffer, body: Buffer): void {
    const { portal, statement } = namesIn(body);
    const known = statement === null ? null : this.prepared.get(statement);
    if (portal !== null && statement !== null && known) {
      const { sql, judgement } = known;
      this.chain = { messages: [whole], statement, sql, judgement, isParsed: false, portal, bind: body };
      return;
    }
    const isKnown = statement === '' && this.unnamed !== null;
    if (this.session.isWritable && !(isKnown && this.unnamed === 'control')) return this.turnDown(NOT_SHOWN);
    if (isKnown) this.portal = portal;
    else this.unnamed = null;
    super.held(type, whole);
  }

  private execute(type: number, whole: Buffer, portal: string | null): void {
    const isKnown = this.portal !== null && portal === this.portal;
    if (this.session.isWritable && !isKnown) return this.turnDown(NOT_SHOWN);
    super.held(type, whole);
    if (isKnown && this.unnamed === 'begin') this.session.begins();
  }

  /** What comes behind the beginning of a chain: the rest of it, or something else. */
  private goOn(chain: Chain, kind: ClientMessage, type: number, whole: Buffer): void {
    const body = bodyOf(whole);
    if (chain.bind === null) {
      const { portal, statement } = kind === 'bind' ? namesIn(body) : { portal: null, statement: null };
      if (portal !== null && statement === chain.statement) {
        chain.messages.push(whole);
        this.chain = { ...chain, portal, bind: body };
        return;
      }
      // It is only prepared, which runs nothing of it.
      this.chain = null;
      this.sendParse(chain);
      this.giveBack(whole);
      return this.held(type, whole);
    }
    const isExecuted = kind === 'execute' && cstringAt(body, 0)?.toString('latin1') === chain.portal;
    if ((kind === 'describe' || isExecuted) && chain.messages.length < MOST_MESSAGES) {
      chain.messages.push(whole);
      if (!isExecuted) return;
      this.chain = null;
      return this.decide(chain);
    }
    this.chain = null;
    this.turnDown(NOT_AT_ONCE, 'bind', whole);
    this.held(type, whole);
  }

  private sendParse({ messages, statement, sql, judgement }: Chain): void {
    if (this.session.begin()) this.ends.toServer.write(this.session.settings);
    const parse = messages[0]!;
    const isKept = this.prepared.takes(statement, parse);
    const problem = isKept ? this.session.parsed(statement, judgement) : TOO_MANY;
    if (problem) return this.refuse('parse', problem);
    this.prepared.give(statement, { sql, parse, judgement });
    this.ends.toServer.write(parse);
  }

  private isAskedAbout({ asks, refusal: problem, isControl }: AskJudgement): boolean {
    return asks || (this.session.isWritable && problem === null && !isControl);
  }

  private decide(chain: Chain): void {
    // Behind what has run it could not be prepared anew.
    if (!this.session.mayWrite || (!chain.isParsed && !this.session.isUntouched))
      return this.settle(chain, NOT_FIRST);
    if (this.settings.isTooMuch) return this.settle(chain, TOO_MANY_SETTINGS);
    const asked = askedStatement(chain, this.settings, this.session.marker);
    if (asked === null) return this.settle(chain, TOO_LONG);
    if (chain.bind && chain.isParsed && !this.prepared.takes(chain.statement, chain.messages[0]!))
      return this.settle(chain, TOO_MANY);
    this.isDeciding = true;
    const begun = this.beginsGroup(chain);
    this.ends.toServer.listen(() =>
      this.ends.cutClient('more than 64 KiB have come behind a statement that waits for a person'),
    );
    void Promise.all([this.ask(asked, this.gone.signal), begun])
      .then(([verdict]) => this.decided(chain, verdict && refusal(verdict.message)))
      .catch(() => this.decided(chain, refusal('Nobody could be asked about this statement.')));
  }

  /** What is prepared anew, or is the first that may write, is the first of its group: what came before has to go well. */
  private beginsGroup({ isParsed }: Chain): Promise<void> | null {
    const { session, ends } = this;
    if (!session.isOpen || (session.isWritable && isParsed)) return null;
    ends.toServer.write(SYNC);
    return session.endsGroup();
  }

  private decided(chain: Chain, problem: SqlError | null): void {
    this.isDeciding = false;
    this.ends.toServer.listen(null);
    if (this.gone.signal.aborted) return this.giveBack();
    this.settle(chain, problem);
    this.ends.toServer.goOn();
  }

  /** Sends what was approved, or has the server refuse it. */
  private settle(chain: Chain, problem: SqlError | null): void {
    const kind = chain.bind === null ? 'query' : 'bind';
    const found = problem ?? (kind === 'query' ? this.session.queried(chain.judgement) : null);
    if (found) {
      this.turnDown(found, kind);
    } else {
      this.settings.note(chain.judgement.settings);
      const before = this.session.opens(
        chain.isParsed ? [] : parseAnew(this.prepared.get(chain.statement)!.parse),
      );
      const late = kind === 'query' ? null : this.note(chain);
      if (before) this.ends.toServer.write(before);
      if (late) this.refuse(kind, late);
      else for (const one of chain.messages) this.ends.toServer.write(one);
    }
    this.giveBack();
    if (kind === 'query') this.session.closed('query');
  }

  private note({ statement, sql, judgement, portal, isParsed, messages }: Chain): SqlError | null {
    const { session } = this;
    if (isParsed) this.prepared.give(statement, { sql, parse: messages[0]!, judgement });
    return (
      session.parsed(statement, judgement) ?? session.bound(portal, statement) ?? session.executed(portal!)
    );
  }

  private turnDown(problem: SqlError, kind: 'query' | 'bind' = 'bind', held?: Buffer): void {
    if (this.session.begin()) this.ends.toServer.write(this.session.settings);
    this.refuse(kind, problem);
    this.giveBack(held);
  }

  private get prepared(): PreparedStatements {
    return this.session.prepared;
  }
}

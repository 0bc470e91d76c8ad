import type { ByteBudget } from '../../byte-budget.js';
import { type ClientMessage, clientMessage } from './client-messages.js';
import type { Ends } from './ends.js';
import type { FrameHandler, Verdict } from './frames.js';
import type { GuardedSession } from './guarded-session.js';
import type { Judge, Judgement } from './judge.js';
import { bodyOf, cstringAt, errorResponse, type SqlError, TYPE } from './messages.js';
import { PlainServer } from './plain-relay.js';
import { parameterOf } from './session-start.js';
import { isReadOtherwise } from './settings.js';
import { clauseOf } from './start-failure.js';

const MAX_JUDGED_BYTES = 1_048_576;
const MAX_SMALL_BYTES = 65_536;
/** What is as short needs no room of the budget: it may be held on each connection. */
const SHORT_BYTES = 4_096;
const SYNC = 0x53; // S
const NOTIFICATION = 0x41; // A
const READY_BYTES = 6;
const NOT_SET = 'its settings could not be set again, or what came before has failed';

const TOO_LONG: SqlError = {
  severity: 'ERROR',
  code: '54000',
  message: 'The gate reads statements of at most 1 MiB on this connection.',
  hint: 'Send the data as parameters, or by several statements.',
};
const noRoom = (most: number): SqlError => ({
  severity: 'ERROR',
  code: '54000',
  message: `The gate reads at most ${most / MAX_JUDGED_BYTES} MiB of statements at a time to this host.`,
  hint: 'Send it again, or long statements over fewer connections at a time.',
});
const FUNCTION_CALL: SqlError = {
  severity: 'ERROR',
  code: '42501',
  message: 'Function calls beside SQL do not pass the gate on this connection.',
  hint: 'Call the function by a SELECT.',
};
const MALFORMED: SqlError = {
  severity: 'ERROR',
  code: '08P01',
  message: 'The gate cannot read this message.',
};

/** Reads what a client says, and lets pass only what its judge allows. */
export class GuardedClient implements FrameHandler {
  /** Of the budget, for the message that is held. */
  private taken = 0;
  private whyDropped = TOO_LONG;
  private isOver = false;

  constructor(
    protected readonly ends: Ends,
    protected readonly session: GuardedSession,
    private readonly judge: Pick<Judge, 'judge'>,
    private readonly budget: ByteBudget,
  ) {}

  /** The client has gone. */
  close(): void {
    this.isOver = true;
    this.giveBack();
  }

  header(type: number, length: number): Verdict {
    if (this.isOver) return 'stop';
    const kind = clientMessage(type, length);
    if (kind === null) {
      this.ends.cutClient('the client has sent what belongs to no session');
      return 'stop';
    }
    const isFree = kind === 'copy' || kind === 'copy-end' || kind === 'terminate';
    if (isFree) {
      if (kind === 'copy-end') this.session.endsCopy();
      return 'pass';
    }
    if (this.session.awaited !== null) return 'stop';
    switch (kind) {
      case 'query':
      case 'parse':
        return this.takes(length, MAX_JUDGED_BYTES) ? 'hold' : 'drop';
      case 'function':
        return 'drop';
      case 'bind':
        return this.takes(length, MAX_JUDGED_BYTES) ? 'hold' : 'announce';
      case 'sync':
        return 'announce';
      default:
        return this.takes(length, MAX_SMALL_BYTES) ? 'hold' : 'drop';
    }
  }

  /** @param known of its SQL, where it was judged already */
  held(type: number, whole: Buffer, known?: Judgement): void {
    const kind = clientMessage(type, whole.length)!;
    if (this.session.begin()) this.ends.toServer.write(this.session.settings);
    const refusal = this.problem(kind, bodyOf(whole), known);
    if (refusal) this.refuse(kind, refusal);
    else this.ends.toServer.write(whole);
    this.giveBack();
    if (kind === 'query') this.session.closed('query');
  }

  announced(type: number): void {
    if (type === SYNC) return this.session.closed('sync');
    // A Bind too long to be held: of its statement everything has to be expected.
    if (this.session.begin()) this.ends.toServer.write(this.session.settings);
    const refusal = this.session.bound(null, null);
    if (refusal) this.refuse('bind', refusal);
  }

  dropped(type: number): void {
    const kind = clientMessage(type, 0)!;
    if (this.session.begin()) this.ends.toServer.write(this.session.settings);
    this.refuse(kind, kind === 'function' ? FUNCTION_CALL : this.whyDropped);
    if (kind === 'query' || kind === 'function') this.session.closed('query');
  }

  pass(bytes: Buffer): void {
    this.ends.toServer.write(bytes);
  }

  malformed(): void {
    this.ends.cutClient('the client does not speak PostgreSQL');
  }

  /** Whether a message is to be held whole, for which there has to be room. */
  private takes(length: number, most: number): boolean {
    if (length <= SHORT_BYTES) return true;
    if (length <= most && this.budget.take(length)) {
      this.taken += length;
      return true;
    }
    this.whyDropped = length > most ? TOO_LONG : noRoom(this.budget.most);
    return false;
  }

  /** @param held which is not: it goes on to be held */
  protected giveBack(held?: Buffer): void {
    const kept = held && held.length > SHORT_BYTES ? held.length : 0;
    this.budget.give(this.taken - kept);
    this.taken = kept;
  }

  private problem(kind: ClientMessage, body: Buffer, known?: Judgement): SqlError | null {
    switch (kind) {
      case 'query': {
        const sql = cstringAt(body, 0);
        if (sql === null || sql.length + 1 !== body.length) return MALFORMED;
        return this.session.queried(known ?? this.judge.judge(sql));
      }
      case 'parse': {
        const name = cstringAt(body, 0);
        const sql = name && cstringAt(body, name.length + 1);
        if (!name || !sql) return MALFORMED;
        return this.session.parsed(name.toString('latin1'), known ?? this.judge.judge(sql));
      }
      case 'bind': {
        const portal = cstringAt(body, 0);
        const name = portal && cstringAt(body, portal.length + 1);
        if (!portal || !name) return MALFORMED;
        return this.session.bound(portal.toString('latin1'), name.toString('latin1'));
      }
      case 'execute': {
        const portal = cstringAt(body, 0);
        return portal ? this.session.executed(portal.toString('latin1')) : MALFORMED;
      }
      default:
        return null;
    }
  }

  protected refuse(kind: ClientMessage, refusal: SqlError): void {
    const of = kind === 'query' || kind === 'function' ? 'query' : 'message';
    this.ends.toServer.write(this.session.instead(of, refusal));
    this.ends.refused(clauseOf(refusal.message));
  }
}

/** Follows what a server says: when it is ready, and what became of the gate's own statements. */
export class GuardedServer extends PlainServer {
  constructor(
    ends: Ends,
    private readonly session: GuardedSession,
  ) {
    super(ends);
  }

  override header(type: number, length: number): Verdict {
    switch (type) {
      case TYPE.ready:
        if (length !== READY_BYTES) this.malformed();
        return length === READY_BYTES ? 'hold' : 'stop';
      case TYPE.parameter:
        if (length > MAX_SMALL_BYTES) this.malformed();
        return length <= MAX_SMALL_BYTES ? 'hold' : 'stop';
      case TYPE.copyIn:
      case TYPE.copyBoth:
        return this.session.isSwallowing ? 'drop' : 'announce';
      case TYPE.error:
      case TYPE.notice:
      case NOTIFICATION:
        return super.header(type, length);
      default:
        return this.session.isSwallowing ? 'drop' : super.header(type, length);
    }
  }

  override held(type: number, whole: Buffer): void {
    const { session, ends } = this;
    switch (type) {
      case TYPE.ready:
        return this.ready(whole);
      case TYPE.parameter:
        ends.toClient.write(whole);
        return this.checkParameter(whole);
      case TYPE.error:
        if (session.isOwed) return ends.cutServer(NOT_SET);
        session.failed();
        if (session.refusal && whole.includes(session.marker))
          ends.toClient.write(errorResponse(session.refusal));
        else ends.tell(whole);
        return;
      default:
        ends.tell(whole);
    }
  }

  override announced(_type: number): void {
    this.session.copies();
    if (this.session.awaited === null) this.ends.toServer.goOn();
  }

  override dropped(type: number): void {
    if (type === TYPE.error && this.session.isOwed) return this.ends.cutServer(NOT_SET);
    if (type === TYPE.error) this.session.failed();
    super.dropped(type);
  }

  private ready(whole: Buffer): void {
    const status = bodyOf(whole)[0]!;
    if (!this.session.takesOwed()) {
      this.session.ready(status);
      this.ends.toClient.write(whole);
    }
    this.ends.toServer.goOn();
  }

  /** Under other settings than these, the server would read SQL otherwise than the judge. */
  private checkParameter(whole: Buffer): void {
    const parameter = parameterOf(bodyOf(whole));
    if (parameter === null) return this.malformed();
    if (isReadOtherwise(parameter)) this.ends.cutClient(`${parameter.name} of the session was changed`);
  }
}

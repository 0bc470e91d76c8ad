import type { AskJudgement } from './ask-judge.js';
import { MAX_NAME_BYTES } from './lexer.js';
import { bodyOf, cstring, cstringAt, message } from './messages.js';

interface Prepared {
  sql: Buffer;
  /** The whole message. */
  parse: Buffer;
  judgement: AskJudgement;
}

const CLOSE = 0x43; // C
const MOST = 64;
const MOST_BYTES = 131_072;
const PLAIN = /^[\x01-\x7f]*$/;

/** Statements that may write, by their names. What of them is sent is what is here, whatever the server has by the name. */
export class PreparedStatements {
  private readonly named = new Map<string, Prepared>();
  /** In this group. The server may skip what was to replace or close them, and have them still. */
  private readonly forgotten = new Set<string>();
  private bytes = 0;

  get(name: string): Prepared | null {
    return this.forgotten.has(name) ? null : (this.named.get(name) ?? null);
  }

  /** @returns false where there are too many, or the server may read the name otherwise */
  takes(name: string, parse: Buffer): boolean {
    const before = this.named.get(name);
    if (!before && this.named.size >= MOST) return false;
    if (this.bytes - (before?.parse.length ?? 0) + parse.length > MOST_BYTES) return false;
    return name.length < MAX_NAME_BYTES && PLAIN.test(name);
  }

  give(name: string, statement: Prepared): void {
    this.delete(name);
    this.forgotten.delete(name);
    this.named.set(name, statement);
    this.bytes += statement.parse.length;
  }

  forget(name: string): void {
    if (this.named.has(name)) this.forgotten.add(name);
  }

  /** A group is over. */
  settle(hasFailed: boolean): void {
    if (!hasFailed) for (const name of this.forgotten) this.delete(name);
    this.forgotten.clear();
  }

  private delete(name: string): void {
    this.bytes -= this.named.get(name)?.parse.length ?? 0;
    this.named.delete(name);
  }
}

/** Whatever the server has by this name. */
export function parseAnew(parse: Buffer): Buffer[] {
  const name = cstringAt(bodyOf(parse), 0)!;
  return [message(CLOSE, Buffer.from('S'), cstring(name)), parse];
}

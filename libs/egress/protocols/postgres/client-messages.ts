import { cstringAt, HEADER_BYTES } from './messages.js';

/** What a client may send once its session is open, by the letter of the type. */
const TYPES = new Map(
  (
    [
      ['B', 'bind'],
      ['C', 'close'],
      ['D', 'describe'],
      ['E', 'execute'],
      ['F', 'function'],
      ['H', 'flush'],
      ['P', 'parse'],
      ['Q', 'query'],
      ['S', 'sync'],
      ['X', 'terminate'],
      ['c', 'copy-end'],
      ['d', 'copy'],
      ['f', 'copy-end'],
    ] as const
  ).map(([letter, name]) => [letter.charCodeAt(0), name]),
);

export type ClientMessage = typeof TYPES extends Map<number, infer Name> ? Name : never;

/** These have no body. */
const EMPTY: ReadonlySet<ClientMessage> = new Set(['flush', 'sync']);
/** PostgreSQL's own limit. */
const MAX_BYTES = 0x4000_0000;

/** @param length of the whole message @returns null for what no client sends here, such as a second start-up */
export function clientMessage(type: number, length: number): ClientMessage | null {
  const kind = length > MAX_BYTES ? undefined : TYPES.get(type);
  return kind === undefined || (EMPTY.has(kind) && length !== HEADER_BYTES) ? null : kind;
}

/** Of a Bind; null where it cannot be read. */
export function namesIn(bind: Buffer): { portal: string | null; statement: string | null } {
  const portal = cstringAt(bind, 0);
  const statement = portal && cstringAt(bind, portal.length + 1);
  return { portal: portal?.toString('latin1') ?? null, statement: statement?.toString('latin1') ?? null };
}

import { createHash } from 'node:crypto';

import { InvalidRequest } from '../errors/index.js';

/** A part of a list. */
export interface Page<T> {
  items: T[];
  /** Where the next page begins; null: this is the last one. */
  nextCursor: string | null;
}

/** Which part of a list somebody asks for. */
export interface PageRequest {
  /** How many items at most. */
  limit: number;
  /** `nextCursor` of the page before; without it, the first page. */
  cursor?: string | undefined;
}

/**
 * Which list a cursor belongs to. A cursor of another list, workspace, environment, viewer or filter is refused, since
 * it would silently skip rows there.
 */
export interface ListIdentity {
  list: string;
  /** Whatever else narrows the list, as JSON. */
  filters: unknown;
}

/**
 * One page of a list that is ordered by id alone, newest first. `fetch` gets the id after which to go on (null on page
 * one) and how many rows to read: one more than the page, to know whether there is a next one. A statement that may end a
 * page earlier (`boundedPage`) returns how many rows it found.
 */
export async function keysetPage<Row extends { id: string }, Item>(
  request: PageRequest,
  identity: ListIdentity,
  fetch: (after: string | null, count: number) => Promise<(Row & { found?: number })[]>,
  present: (row: Row) => Item,
): Promise<Page<Item>> {
  const fingerprint = fingerprintOf(identity);
  const after = request.cursor === undefined ? null : decodeCursor(request.cursor, fingerprint);
  const rows = await fetch(after, request.limit + 1);
  const items = rows.slice(0, request.limit);
  const last = items.at(-1);
  return {
    items: items.map(({ found: _, ...row }) => present(row as unknown as Row)),
    nextCursor:
      (rows[0]?.found ?? rows.length) > items.length && last ? encodeCursor(last.id, fingerprint) : null,
  };
}

/** Whoever reads slowly keeps so many in memory. */
const READ_AT_ONCE = 100;
const MOST_EXPORTED = 100_000;

/** The newest 100,000 of such a list, read some at a time as they are taken. */
export async function* wholeList<Row extends { id: string }, Item>(
  fetch: (after: string | null, count: number) => Promise<Row[]>,
  present: (row: Row) => Item,
): AsyncGenerator<Item> {
  let after: string | null = null;
  for (let count = 0; count < MOST_EXPORTED; count += READ_AT_ONCE) {
    const rows = await fetch(after, READ_AT_ONCE);
    for (const row of rows) yield present(row);
    if (rows.length < READ_AT_ONCE) return;
    after = rows.at(-1)!.id;
  }
}

function fingerprintOf({ list, filters }: ListIdentity): string {
  return createHash('sha256')
    .update(JSON.stringify([list, filters]))
    .digest('base64url')
    .slice(0, 16);
}

function encodeCursor(id: string, fingerprint: string): string {
  return Buffer.from(`${fingerprint}.${id}`).toString('base64url');
}

function decodeCursor(cursor: string, fingerprint: string): string {
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const match = /^([\w-]{16})\.([a-z]{3}_[0-9a-z]{26})$/.exec(text);
  if (!match || Buffer.from(text).toString('base64url') !== cursor) {
    throw InvalidRequest.at(
      'cursor',
      'is not a cursor. Pass the `nextCursor` of the previous page as it was given.',
    );
  }
  if (match[1] !== fingerprint) {
    throw InvalidRequest.at(
      'cursor',
      'belongs to another list or to other filters. Begin again without a cursor.',
    );
  }
  return match[2]!;
}

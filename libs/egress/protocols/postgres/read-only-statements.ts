import type { Token } from './lexer.js';
import { is, isIdentifier } from './statements.js';

const QUERIES = new Set(['select', 'values', 'table', 'with']);
/** What else reads, or moves within a transaction that only reads. */
const PLAIN = new Set([
  ...['abort', 'begin', 'close', 'commit', 'deallocate', 'discard', 'end', 'execute', 'fetch', 'listen'],
  ...['move', 'release', 'reset', 'rollback', 'savepoint', 'set', 'show', 'start', 'unlisten'],
]);
const KEYWORD = /^[a-z]{1,20}$/;

/** @returns why a statement may not pass where a connection only reads, as a clause; null where it may */
export function readOnlyProblem(statement: Token[]): string | null {
  return kindProblem(statement) ?? writingProblem(statement);
}

function kindProblem(statement: Token[]): string | null {
  const [first, second] = statement;
  if (isQuery(statement)) return null;
  if (first?.kind !== 'word') return 'this statement does not pass the gate';
  if (first.text === 'prepare' && !is(second, 'transaction')) {
    const as = endOfList(statement, 2);
    return is(statement[as], 'as') && isQuery(statement.slice(as + 1))
      ? null
      : 'PREPARE passes the gate only for a SELECT';
  }
  if (first.text === 'discard' && !is(second, 'all') && !is(second, 'plans') && !is(second, 'sequences'))
    return 'DISCARD passes the gate only as DISCARD ALL, DISCARD PLANS or DISCARD SEQUENCES';
  if ((first.text === 'commit' || first.text === 'rollback') && is(second, 'prepared'))
    return 'two-phase commit does not pass the gate';
  if (PLAIN.has(first.text)) return null;
  if (first.text === 'explain') return explainProblem(statement);
  if (first.text === 'copy') return copyProblem(statement);
  if (first.text === 'declare') return declareProblem(statement);
  if (first.text === 'lock' && isSharedLock(statement)) return null;
  return `${KEYWORD.test(first.text) ? first.text.toUpperCase() : 'this statement'} does not pass the gate`;
}

function isQuery(statement: Token[]): boolean {
  const first = statement.find((token) => !is(token, '('));
  return first?.kind === 'word' && QUERIES.has(first.text);
}

/** EXPLAIN ANALYZE runs what it explains. */
function explainProblem(statement: Token[]): string | null {
  let at = 1;
  if (is(statement[1], '(') && !isQuery(statement.slice(1))) at = endOfList(statement, 1);
  while (is(statement[at], 'analyze') || is(statement[at], 'analyse') || is(statement[at], 'verbose'))
    at += 1;
  const explained = statement.slice(at);
  if (isQuery(explained) || is(explained[0], 'execute')) return null;
  if (is(explained[0], 'declare')) return declareProblem(explained);
  return 'EXPLAIN passes the gate only for a SELECT';
}

function declareProblem(statement: Token[]): string | null {
  const query = statement.findIndex((token) => is(token, 'for'));
  return query > 0 && isQuery(statement.slice(query + 1))
    ? null
    : 'DECLARE passes the gate only for a SELECT';
}

/** The lock that each SELECT takes, too: pg_dump asks for it. */
function isSharedLock(statement: Token[]): boolean {
  const end = is(statement.at(-1), 'nowait') ? -1 : statement.length;
  const mode = statement.slice(0, end).slice(-4);
  return ['in', 'access', 'share', 'mode'].every((word, at) => is(mode[at], word));
}

function copyProblem(statement: Token[]): string | null {
  let depth = 0;
  let isOut = false;
  for (let at = 1; at < statement.length; at++) {
    if (is(statement[at], '(')) depth += 1;
    if (is(statement[at], ')')) depth -= 1;
    if (depth > 0) continue;
    if (is(statement[at], 'from') || is(statement[at], 'program') || is(statement[at], 'stdin'))
      return 'COPY passes the gate only to STDOUT';
    if (is(statement[at], 'to')) {
      if (!is(statement[at + 1], 'stdout')) return 'COPY passes the gate only to STDOUT';
      isOut = true;
    }
  }
  return isOut ? null : 'COPY passes the gate only to STDOUT';
}

/** Behind the brackets that open at a place, if they do. */
function endOfList(statement: Token[], at: number): number {
  if (!is(statement[at], '(')) return at;
  let depth = 0;
  for (let end = at; end < statement.length; end++) {
    if (is(statement[end], '(')) depth += 1;
    if (is(statement[end], ')') && --depth === 0) return end + 1;
  }
  return statement.length;
}

/** What writes within a query: in its WITH, into a table, or by locking rows. */
function writingProblem(statement: Token[]): string | null {
  for (let at = 0; at < statement.length; at++) {
    const { kind, text } = statement[at]!;
    if (kind !== 'word') continue;
    const next = statement[at + 1];
    const isNamed = is(statement[at - 1], '.') || is(statement[at - 1], 'as');
    if (text === 'into' && !isNamed) return 'INTO does not pass the gate';
    if (text === 'for' && (is(next, 'update') || is(next, 'share') || is(next, 'no') || is(next, 'key')))
      return 'locking rows (FOR UPDATE, FOR SHARE) does not pass the gate';
    const writes =
      ((text === 'insert' || text === 'merge') && is(next, 'into')) ||
      (text === 'delete' && is(next, 'from')) ||
      (text === 'update' && isIdentifier(next) && !is(next, 'from'));
    if (writes && !is(statement[at - 1], '.')) return `${text.toUpperCase()} does not pass the gate`;
  }
  return null;
}

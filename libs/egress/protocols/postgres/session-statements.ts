import type { Token } from './lexer.js';
import type { PostgresOptions } from './postgres-options.js';
import { isHarmless, isSafeEncoding, isSwitchedOn, isTimeWithin } from './settings.js';
import { is, isIdentifier } from './statements.js';

type Policy = Pick<PostgresOptions, 'readOnly' | 'role' | 'statementTimeoutMs'>;

const MAX_SET_TOKENS = 256;

/** Settings that would change what a session may do, or how the gate reads it. */
const ROLE = new Set(['role', 'session_authorization']);
const READING = new Set(['standard_conforming_strings', 'backslash_quote', 'escape_string_warning']);

/** @returns why SET, RESET, BEGIN or DISCARD may not pass, as a sentence; null where it may, or is none of them */
export function sessionProblem(statement: Token[], policy: Policy): string | null {
  const [first, second] = statement;
  if (is(first, 'set')) return setProblem(statement, policy);
  if (is(first, 'reset')) return resetProblem(statement, policy);
  if (is(first, 'begin') || is(first, 'start')) return modesProblem(statement, policy);
  if (
    policy.role !== null &&
    (is(first, 'commit') || is(first, 'rollback') || is(first, 'end') || is(first, 'abort'))
  )
    // Between two transactions the gate sets the role again.
    return statement.some((token) => is(token, 'chain'))
      ? 'AND CHAIN does not pass on a connection with a role.'
      : null;
  if (is(first, 'discard') && is(second, 'all') && policy.role !== null)
    return 'DISCARD ALL would leave the role of this connection.';
  // Sets for calls of a function, or for later sessions.
  if (policy.role !== null && (is(first, 'alter') || is(first, 'create'))) return alterProblem(statement);
  return null;
}

/** @param at of `set_config` @returns why the call may not pass, as a sentence, or null */
export function settingProblem(statement: Token[], at: number, policy: Policy): string | null {
  const [open, name, comma, value, end] = statement.slice(at + 1, at + 6);
  if (!is(open, '(') || name?.kind !== 'string' || !is(comma, ','))
    return 'The gate passes set_config only with the name of a setting in plain quotes.';
  const plain = value?.kind === 'string' && is(end, ',') ? value.text : null;
  return nameProblem(name.text.toLowerCase(), plain, policy);
}

function setProblem(statement: Token[], policy: Policy): string | null {
  if (statement.length > MAX_SET_TOKENS) return 'This SET is too long.';
  const words = statement.slice(1);
  if (is(words[0], 'session') && is(words[1], 'characteristics')) return modesProblem(words, policy);
  if (is(words[0], 'session') && is(words[1], 'authorization'))
    return nameProblem('session_authorization', null, policy);
  if (is(words[0], 'local') || is(words[0], 'session')) words.shift();
  if (is(words[0], 'session') && is(words[1], 'authorization'))
    return nameProblem('session_authorization', null, policy);
  if (is(words[0], 'transaction')) return modesProblem(words, policy);
  if (is(words[0], 'constraints')) return null;
  if (is(words[0], 'time') && is(words[1], 'zone')) return null;
  if (is(words[0], 'schema')) return nameProblem('search_path', null, policy);
  if (is(words[0], 'xml') && is(words[1], 'option')) return null;
  if (is(words[0], 'names')) return nameProblem('client_encoding', literal(words[1]), policy);
  if (!isIdentifier(words[0])) return 'The gate cannot tell which setting this SET is for.';
  const name = settingName(words);
  const value = words.findIndex((token) => is(token, '=') || is(token, 'to'));
  const given = value < 0 || words.length !== value + 2 ? null : literal(words[value + 1]);
  return nameProblem(name, is(words[0], 'role') ? null : given, policy);
}

function resetProblem([, second, third, ...more]: Token[], policy: Policy): string | null {
  if (is(second, 'all')) return null;
  if (is(second, 'time') && is(third, 'zone')) return null;
  if (is(second, 'transaction')) return null;
  if (is(second, 'session') && is(third, 'authorization'))
    return nameProblem('session_authorization', 'default', policy);
  if (!isIdentifier(second)) return 'The gate cannot tell which setting this RESET is for.';
  return nameProblem(settingName([second, ...(third ? [third] : []), ...more]), 'default', policy);
}

/** A setting of an extension has a dot in its name. */
export function settingName([first, dot, second]: Token[]): string {
  const name = (first?.text ?? '').toLowerCase();
  return is(dot, '.') && isIdentifier(second) ? `${name}.${second.text.toLowerCase()}` : name;
}

function literal(token: Token | undefined): string | null {
  if (token === undefined) return null;
  return token.kind === 'sign' || token.kind === 'escaped' || token.kind === 'parameter' ? null : token.text;
}

function nameProblem(name: string, value: string | null, policy: Policy): string | null {
  if (ROLE.has(name)) return 'The role of this connection cannot be left or changed.';
  if (isSwitchedOn(name, value)) return null;
  if (READING.has(name)) return `The gate keeps the setting ${name} as it is.`;
  if (name === 'client_encoding' && value?.toLowerCase() !== 'default' && !isSafeEncoding(value ?? ''))
    return 'That client encoding does not pass the gate. Use UTF8.';
  if (name === 'statement_timeout') return timeoutProblem(value, policy);
  if (!policy.readOnly || isHarmless(name)) return null;
  const shown = /^[a-z_.]{1,63}$/.test(name) ? name : 'of that name';
  return `The setting ${shown} cannot be changed: this connection only reads.`;
}

function timeoutProblem(value: string | null, { statementTimeoutMs: most }: Policy): string | null {
  if (most === null || value?.toLowerCase() === 'default') return null;
  if (value !== null && isTimeWithin(value, most)) return null;
  return `Statements of this connection end after ${most} ms; statement_timeout can only be set to less.`;
}

/** Of SET TRANSACTION and the like. */
function modesProblem(words: Token[], { readOnly }: Policy): string | null {
  const writes = words.some((token, at) => is(token, 'read') && is(words[at + 1], 'write'));
  return readOnly && writes ? 'The transactions of this connection only read.' : null;
}

function alterProblem(statement: Token[]): string | null {
  for (let at = 0; at < statement.length; at++) {
    if (!is(statement[at], 'set') && !is(statement[at], 'reset')) continue;
    const next = statement[at + 1];
    if (isIdentifier(next) && ROLE.has(next.text.toLowerCase()))
      return 'The role of this connection cannot be left or changed.';
    if (is(next, 'session') && is(statement[at + 2], 'authorization'))
      return 'The role of this connection cannot be left or changed.';
  }
  return null;
}

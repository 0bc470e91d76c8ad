import { writesPgSettings } from './judge.js';
import type { Token } from './lexer.js';
import { settingName } from './session-statements.js';
import { isReadBy } from './settings.js';
import { is, isIdentifier } from './statements.js';

/**
 * What statements change of how those behind them are read, such as `SET search_path = archive`: whoever is asked about one of
 * those has to know it. One character a byte.
 */
export function changedSettings(statements: readonly Token[][]): string[] {
  return statements.flatMap((statement) => [
    ...(setsOne(statement) || writesPgSettings(statement) ? [textOf(statement)] : []),
    ...callsIn(statement).map((at) => textOf(statement.slice(at, at + CALL))),
  ]);
}

/** Whether one is changed to what only the server knows. */
export function hidesSetting(statements: readonly Token[][]): boolean {
  return statements.some((statement) =>
    callsIn(statement).some((at) => statement[at + 4]?.kind !== 'string' || !is(statement[at + 5], ',')),
  );
}

const MOST_BYTES = 4_096;

/** What the client of a session has sent that changes them: which of it holds at a moment only the server knows. */
export class ToldSettings {
  private readonly sent = new Set<string>();

  /** @param start as text, what the session begins with */
  constructor(private readonly start: readonly string[]) {}

  note(texts: readonly string[]): void {
    for (const text of texts) if (!this.isTooMuch) this.sent.add(text);
  }

  get texts(): string[] {
    return [...this.start, ...this.sent];
  }

  /** More than anybody can be shown. */
  get isTooMuch(): boolean {
    return this.texts.join('').length > MOST_BYTES;
  }

  /** The same statement means the same again. */
  get isAsBegun(): boolean {
    return this.sent.size === 0;
  }
}

/** `set_config('search_path', 'archive'` */
const CALL = 5;

function callsIn(statement: Token[]): number[] {
  return [...statement.keys()].filter((at) => {
    const [name, open, setting] = statement.slice(at, at + 3);
    return (
      isIdentifier(name) &&
      name.text.toLowerCase() === 'set_config' &&
      is(open, '(') &&
      isReadBy(setting?.text.toLowerCase() ?? '')
    );
  });
}

/** By SET, RESET or DISCARD. */
function setsOne([first, second, ...more]: Token[]): boolean {
  if (is(first, 'discard')) return is(second, 'all');
  if (is(first, 'reset') && is(second, 'all')) return true;
  if (!is(first, 'set') && !is(first, 'reset')) return false;
  const words = is(second, 'local') || is(second, 'session') ? more : [second, ...more];
  if (is(words[0], 'transaction') || is(words[0], 'characteristics') || is(words[0], 'constraints'))
    return false;
  // TIME ZONE, SCHEMA, NAMES and XML OPTION are no names of settings, so they count as well.
  return isReadBy(settingName(words as Token[]));
}

function textOf(statement: readonly Token[]): string {
  return statement
    .map(({ kind, text }) => {
      if (kind === 'string' || kind === 'escaped') return `'${text.replaceAll("'", "''")}'`;
      return kind === 'name' ? `"${text.replaceAll('"', '""')}"` : text;
    })
    .join(' ');
}

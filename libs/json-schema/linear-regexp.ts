import { RE2JS } from 're2js';

/** A regular expression that takes time in proportion to the text, whatever the pattern. */
interface LinearRegExp {
  test(text: string): boolean;
}

/**
 * Compiles a pattern of JSON Schema (the dialect of ECMAScript with the `u` flag) for the linear-time engine. What it takes means
 * the same there as in a browser, which tries patterns with its own engine.
 *
 * @throws Error whose message says what is not supported or not valid
 */
export function compileLinearRegExp(pattern: string): LinearRegExp {
  // ECMAScript's own parser first: the other one gives a meaning to some texts that are not ECMAScript, such as `\A` or `(?i)`.
  try {
    new RegExp(pattern, 'u');
  } catch (error) {
    throw new Error(`is not a valid regular expression: ${(error as Error).message.replace(/^.*: /s, '')}`);
  }
  if (hasNamedBackreference(pattern)) throw new Error(unsupported('backreferences such as \\k<name>'));
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(asOfEcmaScript(pattern)));
    return { test: (text) => compiled.test(text) };
  } catch (error) {
    throw new Error(unsupported((error as Error).message.replace(/^error parsing regexp: /, '')));
  }
}

/** The same for Ajv's `code.regExp`, which also wants the source text of the function for standalone code. */
export const ajvRegExp = Object.assign((pattern: string) => compileLinearRegExp(pattern), {
  code: 'compileLinearRegExp',
});

const SPACE =
  '\\t-\\r \\u{a0}\\u{1680}\\u{2000}-\\u{200a}\\u{2028}\\u{2029}\\u{202f}\\u{205f}\\u{3000}\\u{feff}';
const NO_SPACE = [
  '\\u{0}-\\u{8}\\u{e}-\\u{1f}!-\\u{9f}\\u{a1}-\\u{167f}\\u{1681}-\\u{1fff}\\u{200b}-\\u{2027}\\u{202a}-\\u{202e}',
  '\\u{2030}-\\u{205e}\\u{2060}-\\u{2fff}\\u{3001}-\\u{fefe}\\u{ff00}-\\u{10ffff}',
].join('');
const NO_LINE_END = '[^\\n\\r\\u{2028}\\u{2029}]';

/** The pair of a code point beyond U+FFFF, another escape, the edge of a class, or any character. */
const TOKEN = /\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\[^]|[[\].]/gu;

/** Spells out what the engine would read another way: its white space is ASCII, its `.` ends at `\n` only, and it has classes of POSIX. */
function asOfEcmaScript(pattern: string): string {
  let isInClass = false;
  // `(?s:.)` says itself what the dot is.
  const dot = /\(\?[a-z]*(?:-[a-z]*)?:/.test(pattern.replaceAll('(?:', '')) ? '.' : NO_LINE_END;
  return pattern.replace(TOKEN, (token) => {
    if (token === '\\s') return isInClass ? SPACE : `[${SPACE}]`;
    if (token === '\\S') return isInClass ? NO_SPACE : `[^${SPACE}]`;
    if (token === '.') return isInClass ? token : dot;
    // Within a class, `[:` would begin one of POSIX.
    if (token === '[' && isInClass) return '\\[';
    if (token === '[') isInClass = true;
    else if (token === ']') isInClass = false;
    else if (token.length > 2) return codePointOf(token);
    return token;
  });
}

function codePointOf(pair: string): string {
  const [high, low] = [pair.slice(2, 6), pair.slice(8)].map((hex) => Number.parseInt(hex, 16));
  return `\\u{${String.fromCharCode(high!, low!).codePointAt(0)!.toString(16)}}`;
}

/** The engine reads `\k` as the letter k, which would be silently wrong. */
function hasNamedBackreference(pattern: string): boolean {
  return /\\k/.test(pattern.replaceAll('\\\\', ''));
}

function unsupported(what: string): string {
  return `uses what the linear-time engine does not have (${what}): no lookaround, no backreferences, repetitions to 1,000`;
}

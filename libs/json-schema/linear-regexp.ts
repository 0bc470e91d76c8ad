import { RE2JS } from 're2js';

/** A regular expression that takes time in proportion to the text, whatever the pattern. */
export interface LinearRegExp {
  test(text: string): boolean;
}

/**
 * Compiles a pattern of JSON Schema (the dialect of ECMAScript with the `u` flag) for the linear-time engine.
 *
 * Two shades differ from ECMAScript: `\s` means ASCII white space, and `.` also matches `\r`, U+2028 and U+2029.
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
    const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
    return { test: (text) => compiled.test(text) };
  } catch (error) {
    throw new Error(unsupported((error as Error).message.replace(/^error parsing regexp: /, '')));
  }
}

/** The same for Ajv's `code.regExp`, which also wants the source text of the function for standalone code. */
export const ajvRegExp = Object.assign((pattern: string) => compileLinearRegExp(pattern), {
  code: 'compileLinearRegExp',
});

/** The engine reads `\k` as the letter k, which would be silently wrong. */
function hasNamedBackreference(pattern: string): boolean {
  return /\\k/.test(pattern.replaceAll('\\\\', ''));
}

function unsupported(what: string): string {
  return `uses what the linear-time engine does not have (${what}): no lookaround, no backreferences, repetitions to 1,000`;
}

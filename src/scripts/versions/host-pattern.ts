import { InvalidHost, patternsOverlap as overlap, parseHost } from '../../../libs/egress/index.js';

/**
 * A host that a script may reach, in its one form: lower case, punycode, `:port` unless it is 443, `*.` in front for one
 * or more labels. The gate reads it the same way.
 *
 * @returns the form, or what is wrong with the text
 */
export function parseHostPattern(text: string): { host: string } | { problem: string } {
  try {
    return { host: parseHost(text).text };
  } catch (error) {
    if (error instanceof InvalidHost) return { problem: error.message };
    throw error;
  }
}

/** Whether some host matches both patterns, which are in their one form. */
export function patternsOverlap(one: string, other: string): boolean {
  return overlap(parseHost(one), parseHost(other));
}

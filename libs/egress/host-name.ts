import { domainToASCII, domainToUnicode } from 'node:url';
import { mixesScripts } from './mixes-scripts.js';

const MAX_LENGTH = 253;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** ASCII letters, digits and punctuation of names, or anything beyond ASCII: nothing that a URL parser would decode. */
const TYPED = /^[a-z0-9.\-\u0080-\u{10ffff}]+$/iu;
/** What URL parsers and C libraries read as an IPv4 address: its last label is a number, in whatever base. */
const NUMERIC = /(?:^|\.)(?:\d+|0x[0-9a-f]*)\.?$/i;

export type NameProblem = 'empty' | 'address' | 'trailing_dot' | 'not_a_name' | 'mixed_scripts';

/** Whether a text is a host name in its one form: lower-case letters, digits and dashes in labels joined by dots. */
export function isHostName(text: string): boolean {
  return (
    text.length <= MAX_LENGTH && !NUMERIC.test(text) && text.split('.').every((label) => LABEL.test(label))
  );
}

/**
 * Brings a typed name into its one form, international ones into punycode.
 *
 * @returns the name, or what is wrong with the text
 */
export function toHostName(typed: string): { name: string } | { problem: NameProblem } {
  if (typed === '') return { problem: 'empty' };
  if (NUMERIC.test(typed)) return { problem: 'address' };
  if (typed.endsWith('.')) return { problem: 'trailing_dot' };
  const name = TYPED.test(typed) ? domainToASCII(typed.toLowerCase()) : '';
  // Full-width digits and the like become an address only now.
  if (name !== '' && NUMERIC.test(name)) return { problem: 'address' };
  if (name === '' || !isHostName(name)) return { problem: 'not_a_name' };
  // Seen from the punycode, so that a name typed as punycode is judged as well.
  const labels = domainToUnicode(name).split('.');
  if (labels.some((label) => label.startsWith('xn--'))) return { problem: 'not_a_name' };
  if (labels.some(mixesScripts)) return { problem: 'mixed_scripts' };
  return { name };
}

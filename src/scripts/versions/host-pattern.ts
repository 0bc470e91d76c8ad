import { domainToASCII } from 'node:url';

const MAX_LENGTH = 253;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** ASCII letters, digits and punctuation of names, or anything beyond ASCII: nothing that a URL parser would decode. */
const TYPED = /^[a-z0-9.\-\u0080-\u{10ffff}]+$/iu;

/**
 * A host that a script may reach, in its one form: lower case, punycode, `:port` unless it is 443, `*.` in front for one
 * or more labels.
 *
 * @returns the form, or what is wrong with the text
 */
export function parseHostPattern(text: string): { host: string } | { problem: string } {
  if (text.includes('/'))
    return { problem: 'must be a host without scheme and path, such as api.example.com' };
  const [, wildcard = '', rest = ''] = /^(\*\.)?(.*)$/su.exec(text) ?? [];
  if (rest.includes('*')) return { problem: 'may have a * only at the beginning, as in *.example.com' };
  if (/^\[|:.*:/.test(rest)) return { problem: 'must be a name, not an IP address' };
  const [name = '', port, ...more] = rest.split(':');
  if (more.length > 0 || (port !== undefined && !isPort(port)))
    return { problem: 'must have a port from 1 to 65535, or none' };
  const checked = parseName(name);
  if ('problem' in checked) return checked;
  return { host: `${wildcard}${checked.name}${port === undefined || port === '443' ? '' : `:${port}`}` };
}

function parseName(typed: string): { name: string } | { problem: string } {
  if (typed === '') return { problem: 'must be a host such as api.example.com' };
  if (isAddress(typed)) return { problem: 'must be a name, not an IP address' };
  if (typed.endsWith('.')) return { problem: 'must not end in a dot' };
  const name = TYPED.test(typed) ? domainToASCII(typed.toLowerCase()) : '';
  // Full-width digits and the like become an address only now.
  if (name !== '' && isAddress(name)) return { problem: 'must be a name, not an IP address' };
  const valid =
    name !== '' && name.length <= MAX_LENGTH && name.split('.').every((label) => LABEL.test(label));
  if (valid) return { name };
  return {
    problem: 'must be a host name: letters, digits and dashes in labels of at most 63, joined by dots',
  };
}

/** What URL parsers read as an IPv4 address: its last label is a number, in whatever base. */
function isAddress(name: string): boolean {
  return /(?:^|\.)(?:\d+|0x[0-9a-f]*)\.?$/i.test(name);
}

function isPort(text: string): boolean {
  return /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535;
}

/** Whether some host matches both patterns, which are in their one form. */
export function patternsOverlap(one: string, other: string): boolean {
  const [a, b] = [split(one), split(other)];
  if (a.port !== b.port) return false;
  if (a.name === b.name && a.wildcard === b.wildcard) return true;
  return covers(a, b) || covers(b, a);
}

interface Pattern {
  wildcard: boolean;
  name: string;
  port: string;
}

function split(host: string): Pattern {
  const [name = '', port = '443'] = host.split(':');
  const wildcard = name.startsWith('*.');
  return { wildcard, name: wildcard ? name.slice(2) : name, port };
}

function covers(one: Pattern, other: Pattern): boolean {
  return one.wildcard && other.name.endsWith(`.${one.name}`);
}

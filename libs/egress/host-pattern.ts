import { type NameProblem, toHostName } from './host-name.js';

/** A host that may be reached, or with a wildcard all hosts below one. Names are compared label by label. */
export interface HostPattern {
  /** Lower case, punycode, without the wildcard. */
  readonly name: string;
  /** Written as `*.name`: one or more labels in front of it, not the name itself. */
  readonly wildcard: boolean;
  readonly port: number;
  /** The one form: `api.example.com`, `*.example.com:8443`; the port only when it is not 443. */
  readonly text: string;
}

export type HostProblem = NameProblem | 'has_scheme_or_path' | 'misplaced_wildcard' | 'port';

const MESSAGES: Record<HostProblem, string> = {
  empty: 'must be a host such as api.example.com',
  address: 'must be a name, not an IP address',
  trailing_dot: 'must not end in a dot',
  not_a_name: 'must be a host name: letters, digits and dashes in labels of at most 63, joined by dots',
  mixed_scripts: 'must not mix letters of different scripts in one label',
  has_scheme_or_path: 'must be a host without scheme and path, such as api.example.com',
  misplaced_wildcard: 'may have a * only at the beginning, as in *.example.com',
  port: 'must have a port from 1 to 65535, or none',
};

/** A text that is not a host. The message goes after the name of the field: "must be a name, not an IP address". */
export class InvalidHost extends Error {
  constructor(
    readonly text: string,
    readonly problem: HostProblem,
  ) {
    super(MESSAGES[problem]);
    this.name = 'InvalidHost';
  }
}

const DEFAULT_PORT = 443;

/**
 * Reads a host as a person declares it: a name, maybe `*.` in front and `:port` behind.
 *
 * @throws InvalidHost saying what is wrong
 * @example
 * parseHost('API.Example.com:443').text; // 'api.example.com'
 */
export function parseHost(text: string): HostPattern {
  if (text.includes('/')) throw new InvalidHost(text, 'has_scheme_or_path');
  const wildcard = text.startsWith('*.');
  const rest = wildcard ? text.slice(2) : text;
  if (rest.includes('*')) throw new InvalidHost(text, 'misplaced_wildcard');
  if (/^\[|:.*:/s.test(rest)) throw new InvalidHost(text, 'address');
  const colon = rest.indexOf(':');
  const port = colon < 0 ? DEFAULT_PORT : parsePort(rest.slice(colon + 1));
  if (port === null) throw new InvalidHost(text, 'port');
  const parsed = toHostName(colon < 0 ? rest : rest.slice(0, colon));
  if ('problem' in parsed) throw new InvalidHost(text, parsed.problem);
  return {
    name: parsed.name,
    wildcard,
    port,
    text: `${wildcard ? '*.' : ''}${hostLabel(parsed.name, port)}`,
  };
}

/** A host with its port where that is not 443: how it is written in patterns, logs and Host headers. */
export function hostLabel(name: string, port: number): string {
  return port === DEFAULT_PORT ? name : `${name}:${port}`;
}

/** What a label names, as `hostLabel` has written it. It may be no host that could be declared. */
export function readHostLabel(label: string): { name: string; port: number } {
  const [name, port] = label.split(':');
  return { name: name!, port: port === undefined ? DEFAULT_PORT : Number(port) };
}

function parsePort(text: string): number | null {
  return /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535 ? Number(text) : null;
}

/** Whether there is a host that matches both. */
export function patternsOverlap(one: HostPattern, other: HostPattern): boolean {
  if (one.port !== other.port) return false;
  if (one.name === other.name) return one.wildcard === other.wildcard;
  return isBelow(other.name, one) || isBelow(one.name, other);
}

function isBelow(name: string, pattern: HostPattern): boolean {
  return pattern.wildcard && parents(name).includes(pattern.name);
}

/** The names that a name is below, nearest first: of `a.b.c`, `b.c` and `c`. */
export function parents(name: string): string[] {
  const labels = name.split('.');
  return labels.slice(1).map((_, index) => labels.slice(index + 1).join('.'));
}

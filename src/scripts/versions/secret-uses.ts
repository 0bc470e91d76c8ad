import { HOP_BY_HOP, templateProblem } from '../../../libs/egress/index.js';
import { type ErrorDetail, InvalidRequest } from '../../core/errors/index.js';
import { AWS_TEMPLATE, secretNameProblem, type SecretUse } from '../../secrets/index.js';
import { parseHostPattern, patternsOverlap } from './host-pattern.js';
import {
  HEADER_NAME,
  MAX_HEADER_LENGTH,
  MAX_SECRETS,
  MAX_VALUE_LENGTH,
  PLACEHOLDER,
} from './secret-use.form.js';

export type { SecretUse };

const FIELDS = new Set(['header', 'hosts', 'host', 'value']);
const PRINTABLE = /^[\x20-\x7e]*$/;
/** They belong to the connection or say where the request goes and ends; the gate writes them itself. */
const RESERVED_HEADERS = new Set([...HOP_BY_HOP, 'host', 'content-length']);

/**
 * The `secrets` of a new version, checked and completed.
 *
 * @param hosts the version's hosts in their one form
 * @throws InvalidRequest naming each wrong place, such as `secrets.STRIPE_KEY.header`
 */
export function parseSecretUses(input: unknown, hosts: readonly string[]): Record<string, SecretUse> {
  if (!isObject(input)) throw InvalidRequest.at('secrets', 'must be an object');
  const names = Object.keys(input);
  if (names.length > MAX_SECRETS)
    throw InvalidRequest.at('secrets', `must not have more than ${MAX_SECRETS} secrets`);
  const details: ErrorDetail[] = [];
  const uses: [string, SecretUse][] = [];
  for (const name of names) {
    const reader = new SecretUseReader(`secrets.${name}`, hosts, details);
    const problem = secretNameProblem(name);
    if (problem) details.push({ path: `secrets.${name}`, message: problem });
    else uses.push([name, reader.read(input[name])]);
  }
  if (details.length === 0) details.push(...collisions(uses));
  if (details.length > 0) throw InvalidRequest.listing(details);
  return Object.fromEntries(uses);
}

class SecretUseReader {
  constructor(
    private readonly path: string,
    private readonly versionHosts: readonly string[],
    private readonly details: ErrorDetail[],
  ) {}

  read(input: unknown): SecretUse {
    if (!isObject(input)) {
      this.refuse('', 'must be an object with header and hosts');
      return { hosts: [], header: '', value: '' };
    }
    for (const field of Object.keys(input))
      if (!FIELDS.has(field)) this.refuse(field, 'is not a field of this request');
    const value = this.value(Object.hasOwn(input, 'value') ? input['value'] : PLACEHOLDER);
    return { hosts: this.hosts(input), header: this.header(input['header'], value), value };
  }

  private header(header: unknown, value: string): string {
    if (typeof header !== 'string') this.refuse('header', 'must be a string');
    else if (!HEADER_NAME.test(header) || header.length > MAX_HEADER_LENGTH) {
      this.refuse('header', `must be the name of an HTTP header, at most ${MAX_HEADER_LENGTH} characters`);
    } else if (RESERVED_HEADERS.has(header.toLowerCase())) {
      this.refuse('header', `${header} belongs to the connection and cannot carry a secret`);
    } else if (value === AWS_TEMPLATE && header.toLowerCase() !== 'authorization') {
      this.refuse('header', 'must be authorization, where a signature for AWS goes');
    } else return header;
    return '';
  }

  private value(value: unknown): string {
    if (typeof value !== 'string') this.refuse('value', 'must be a string');
    else if (!PRINTABLE.test(value) || value.length > MAX_VALUE_LENGTH) {
      this.refuse('value', `must be printable ASCII, at most ${MAX_VALUE_LENGTH} characters`);
    } else {
      const problem = templateProblem(value);
      if (problem === null) return value;
      this.refuse('value', problem);
    }
    return '';
  }

  private hosts(input: Record<string, unknown>): string[] {
    const [one, several] = [Object.hasOwn(input, 'host'), Object.hasOwn(input, 'hosts')];
    if (one && several) this.refuse('host', 'must be left out where hosts is given');
    else if (one) return this.host(input['host'], 'host');
    else if (!several) return this.allHosts();
    else if (!Array.isArray(input['hosts']) || input['hosts'].length === 0) {
      this.refuse('hosts', 'must be an array of at least one host');
    } else return [...new Set(input['hosts'].flatMap((host, index) => this.host(host, `hosts.${index}`)))];
    return [];
  }

  /** Where only the header is named: of all the version's hosts, those that the value allows when it runs. */
  private allHosts(): string[] {
    if (this.versionHosts.length === 0)
      this.refuse('hosts', 'has no host to go to: the version names none in its own `hosts`');
    return [...this.versionHosts];
  }

  private host(text: unknown, field: string): string[] {
    const parsed = typeof text === 'string' ? parseHostPattern(text) : { problem: 'must be a string' };
    if ('problem' in parsed) this.refuse(field, parsed.problem);
    else if (!this.versionHosts.includes(parsed.host))
      this.refuse(field, "must be one of the version's hosts");
    else return [parsed.host];
    return [];
  }

  private refuse(field: string, message: string): void {
    this.details.push({ path: field === '' ? this.path : `${this.path}.${field}`, message });
  }
}

/** A header has one value, so no two secrets may want it on the same host. */
function collisions(uses: readonly [string, SecretUse][]): ErrorDetail[] {
  return uses.flatMap(([name, use], index) =>
    uses.slice(0, index).flatMap(([earlier, other]) => {
      if (other.header.toLowerCase() !== use.header.toLowerCase()) return [];
      const host = use.hosts.find((one) => other.hosts.some((two) => patternsOverlap(one, two)));
      const message = `sets the header ${use.header} on ${host}, as ${earlier} does; only one secret can`;
      return host === undefined ? [] : [{ path: `secrets.${name}`, message }];
    }),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import { HOP_BY_HOP, type HostProtocol, templateProblem } from '../../../libs/egress/index.js';
import { type ErrorDetail, InvalidRequest } from '../../core/errors/index.js';
import { isObject } from '../../core/json/index.js';
import { AWS_TEMPLATE, secretNameProblem, type SecretUse } from '../../secrets/index.js';
import type { DeclaredHosts } from './declared-hosts.js';
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
 * @param declared the version's hosts in their one form, and how they are spoken to
 * @param maybePlain whether there are addresses to which secrets may go in the clear
 * @throws InvalidRequest naming each wrong place, such as `secrets.STRIPE_KEY.header`
 */
export function parseSecretUses(
  input: unknown,
  declared: DeclaredHosts,
  maybePlain = false,
): Record<string, SecretUse> {
  if (!isObject(input)) throw InvalidRequest.at('secrets', 'must be an object');
  const names = Object.keys(input);
  if (names.length > MAX_SECRETS)
    throw InvalidRequest.at('secrets', `must not have more than ${MAX_SECRETS} secrets`);
  const details: ErrorDetail[] = [];
  const uses: [string, SecretUse][] = [];
  for (const name of names) {
    const reader = new SecretUseReader(`secrets.${name}`, { declared, maybePlain, details });
    const problem = secretNameProblem(name);
    if (problem) details.push({ path: `secrets.${name}`, message: problem });
    else uses.push([name, reader.read(input[name])]);
  }
  if (details.length === 0) details.push(...collisions(uses));
  if (details.length > 0) throw InvalidRequest.listing(details);
  return Object.fromEntries(uses);
}

class SecretUseReader {
  private readonly declared: DeclaredHosts;
  private readonly maybePlain: boolean;
  private readonly details: ErrorDetail[];

  constructor(
    private readonly path: string,
    parts: { declared: DeclaredHosts; maybePlain: boolean; details: ErrorDetail[] },
  ) {
    this.declared = parts.declared;
    this.maybePlain = parts.maybePlain;
    this.details = parts.details;
  }

  read(input: unknown): SecretUse {
    if (!isObject(input)) {
      this.refuse('', 'must be an object with header and hosts');
      return { hosts: [], header: '', value: '' };
    }
    for (const field of Object.keys(input))
      if (!FIELDS.has(field)) this.refuse(field, 'is not a field of this request');
    const value = this.value(Object.hasOwn(input, 'value') ? input['value'] : PLACEHOLDER);
    const hosts = this.hosts(input);
    if (hosts.length > 0 && hosts.every((host) => this.protocolOf(host) === 'postgres'))
      return { hosts, header: this.noHeader(input), value: PLACEHOLDER };
    const problem = this.protocolProblem(hosts);
    if (problem !== null) this.refuse('hosts', problem);
    return { hosts, header: this.header(input['header'], value), value };
  }

  /** Of a secret that stands in requests. Which addresses a host has is judged whenever it is dialled. */
  private protocolProblem(hosts: readonly string[]): string | null {
    for (const host of hosts) {
      const protocol = this.protocolOf(host);
      if (protocol === undefined || (protocol === 'http' && this.maybePlain)) continue;
      if (protocol === 'http')
        return `${host} is reached by http, and the operator lets secrets go in the clear to no address (GATEHOUSE_PLAIN_SECRETS)`;
      const way =
        protocol === 'postgres'
          ? 'is a PostgreSQL server, for a secret of its own'
          : `is reached by ${protocol}`;
      return `secrets stand in HTTP requests alone, and ${host} ${way}`;
    }
    return null;
  }

  /** The gate signs in with it, so it stands in no request. */
  private noHeader(input: Record<string, unknown>): string {
    for (const field of ['header', 'value'])
      if ((input[field] ?? '') !== '' && input[field] !== PLACEHOLDER)
        this.refuse(field, 'must be left out: the gate signs in to PostgreSQL with the secret');
    return '';
  }

  private protocolOf(host: string): HostProtocol | undefined {
    return this.declared.rules.find((rule) => rule.host === host)?.protocol;
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
    else if (!several) return this.allHosts(input['header']);
    else if (!Array.isArray(input['hosts']) || input['hosts'].length === 0) {
      this.refuse('hosts', 'must be an array of at least one host');
    } else return [...new Set(input['hosts'].flatMap((host, index) => this.host(host, `hosts.${index}`)))];
    return [];
  }

  /**
   * Where only the header is named: of all the version's hosts by HTTPS, those that the value allows when it runs. Where not even that is:
   * of all that it signs in to.
   */
  private allHosts(header: unknown): string[] {
    const protocol =
      header === undefined && this.declared.rules.some((rule) => rule.protocol === 'postgres')
        ? 'postgres'
        : undefined;
    const hosts = this.declared.hosts.filter((host) => this.protocolOf(host) === protocol);
    if (hosts.length === 0)
      this.refuse('hosts', 'has no host to go to: the version names none in its own `hosts`');
    return hosts;
  }

  private host(text: unknown, field: string): string[] {
    const parsed = typeof text === 'string' ? parseHostPattern(text) : { problem: 'must be a string' };
    if ('problem' in parsed) this.refuse(field, parsed.problem);
    else if (!this.declared.hosts.includes(parsed.host))
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
      const does = use.header === '' ? `signs in to ${host}` : `sets the header ${use.header} on ${host}`;
      const message = `${does}, as ${earlier} does; only one secret can`;
      return host === undefined ? [] : [{ path: `secrets.${name}`, message }];
    }),
  );
}

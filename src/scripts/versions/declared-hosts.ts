import { type HostRule, pathReadings } from '../../../libs/egress/index.js';
import { type ErrorDetail, InvalidRequest } from '../../core/errors/index.js';
import { parseHostPattern, patternsOverlap } from './host-pattern.js';
import { PROTOCOL_FIELDS, protocolFields, protocolOf, withPort } from './host-protocol.js';
import { ASKS, MAX_METHODS, MAX_PATH_LENGTH, MAX_PATHS, METHOD, PATH } from './host-rule.form.js';
import { plannedResponse } from './planned-response.js';

/** What a new version may reach. */
export interface DeclaredHosts {
  /** In their one form, each once. */
  hosts: string[];
  /** For those that may get some requests only. */
  rules: HostRule[];
}

const FIELDS = new Set(['host', 'methods', 'paths', 'ask', 'plan', ...PROTOCOL_FIELDS]);
/** They never pass the gate. */
const NEVER = new Set(['CONNECT', 'TRACE', 'TRACK']);

/**
 * @param input names, or objects with `host` and what holds for it
 * @throws InvalidRequest naming each wrong place, such as `hosts.2` or `hosts.2.paths.0`
 */
export function parseHosts(input: readonly unknown[]): DeclaredHosts {
  const details: ErrorDetail[] = [];
  const declared = input.map((item, index) => new HostReader(`hosts.${index}`, details).read(item));
  if (details.length === 0) details.push(...contradictions(declared));
  if (details.length > 0) throw InvalidRequest.listing(details);
  return { hosts: [...new Set(declared.map(({ host }) => host))], rules: declared.filter(hasRule) };
}

class HostReader {
  constructor(
    private readonly path: string,
    private readonly details: ErrorDetail[],
  ) {}

  read(item: unknown): HostRule {
    if (typeof item === 'string') return { host: this.host(item, ''), methods: null, paths: null };
    if (typeof item !== 'object' || item === null || Array.isArray(item)) {
      this.refuse('', 'must be a string, or an object with host, methods and paths');
      return { host: '', methods: null, paths: null };
    }
    const fields = new Map<string, unknown>(Object.entries(item));
    for (const field of fields.keys())
      if (!FIELDS.has(field)) this.refuse(field, 'is not a field of this request');
    const refuse = (field: string, message: string): void => this.refuse(field, message);
    const protocol = protocolOf(fields, refuse);
    const host = this.host(withPort(fields, protocol, refuse), 'host');
    if (protocol !== null && host.startsWith('*.'))
      this.refuse(
        'host',
        `must be one host by its name: only HTTPS says in its connection which of many it is for`,
      );
    return {
      host,
      methods: this.list(fields.get('methods'), 'methods', MAX_METHODS, methodProblem),
      paths: this.list(fields.get('paths'), 'paths', MAX_PATHS, pathProblem),
      ...this.ask(fields.get('ask')),
      ...this.plan(fields.get('plan')),
      ...protocolFields(fields, protocol, refuse),
    };
  }

  private ask(value: unknown): Pick<HostRule, 'ask'> {
    const ask = ASKS.find((one) => one === value);
    if (ask !== undefined) return { ask };
    if (value !== undefined && value !== null) this.refuse('ask', `must be one of ${ASKS.join(', ')}`);
    return {};
  }

  private plan(value: unknown): Pick<HostRule, 'plan'> {
    if (value === undefined || value === null) return {};
    const refuse = (field: string, message: string): void =>
      this.refuse(field === '' ? 'plan' : `plan.${field}`, message);
    return { plan: plannedResponse(value, refuse) };
  }

  private host(text: unknown, field: string): string {
    const parsed = typeof text === 'string' ? parseHostPattern(text) : { problem: 'must be a string' };
    if ('host' in parsed) return parsed.host;
    this.refuse(field, parsed.problem);
    return '';
  }

  private list(
    items: unknown,
    field: string,
    most: number,
    problemOf: (text: string) => string | null,
  ): string[] | null {
    if (items === undefined || items === null) return null;
    if (!Array.isArray(items) || items.length === 0 || items.length > most) {
      this.refuse(field, `must be an array of 1 to ${most}; left out, it means any`);
      return null;
    }
    items.forEach((item: unknown, index) => {
      const problem = typeof item === 'string' ? problemOf(item) : 'must be a string';
      if (problem !== null) this.refuse(`${field}.${index}`, problem);
    });
    return [...new Set(items as string[])];
  }

  private refuse(field: string, message: string): void {
    this.details.push({ path: field === '' ? this.path : `${this.path}.${field}`, message });
  }
}

function methodProblem(text: string): string | null {
  if (!METHOD.test(text)) return 'must be an HTTP method in upper case, such as GET';
  return NEVER.has(text) ? `${text} does not pass the gate` : null;
}

/** A path that servers may read in two ways could be let through as the one and served as the other. */
function pathProblem(text: string): string | null {
  if (text.length > MAX_PATH_LENGTH) return `must be at most ${MAX_PATH_LENGTH} characters`;
  const isPlain = PATH.test(text) && !text.includes('//') && pathReadings(text.replace(/\*$/, '')) !== null;
  if (isPlain) return null;
  return 'must be a path such as /v1/charges, or /v1/* for all that begins so: as in a URL, without query, empty, . and .. segments';
}

function hasRule({ methods, paths, protocol, ask, plan }: HostRule): boolean {
  return [methods, paths, protocol ?? null, ask ?? null, plan ?? null].some((one) => one !== null);
}

/** A name has its rules or none. Several rules of the same host add to each other. */
function contradictions(declared: readonly HostRule[]): ErrorDetail[] {
  return declared.flatMap((rule, index) => {
    const twice = declared.slice(0, index).find((one) => one.host === rule.host && isAnother(one, rule));
    if (twice)
      return [
        {
          path: `hosts.${index}`,
          message: `${rule.host} is declared twice, and has one protocol`,
        },
      ];
    const other = declared.find((one) => contradicts(rule, one));
    if (!hasRule(rule) || other === undefined) return [];
    const message =
      other.host === rule.host
        ? `${rule.host} is there without methods and paths as well, which lets everything through`
        : `${rule.host} overlaps with ${other.host}, so that it would not be clear what holds; name each host by itself`;
    return [{ path: `hosts.${index}`, message }];
  });
}

function contradicts(rule: HostRule, other: HostRule): boolean {
  if (rule.host === other.host) return hasRule(rule) !== hasRule(other);
  return patternsOverlap(rule.host, other.host);
}

/** Several rules add to each other where they are of requests. */
function isAnother(one: HostRule, other: HostRule): boolean {
  return one.protocol !== other.protocol || (one.protocol !== undefined && one.protocol !== 'http');
}

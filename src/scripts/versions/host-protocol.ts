import type { HostProtocol, HostRule, PostgresRule } from '../../../libs/egress/index.js';
import { asSeconds } from '../../core/http/index.js';
import { isObject } from '../../core/json/index.js';
import {
  MAX_NAME_BYTES,
  MOST_CONNECTIONS,
  MOST_STATEMENT_SECONDS,
  POSTGRES_NAME,
  PROTOCOLS,
} from './host-rule.form.js';

type Fields = ReadonlyMap<string, unknown>;
type Refuse = (field: string, message: string) => void;

export const PROTOCOL_FIELDS = ['protocol', 'port', 'postgres'];
const POSTGRES_FIELDS = ['database', 'role', 'readOnly', 'statementTimeout', 'maxConnections'];

/** Where a host listens that is named without a port. TCP has no such port. */
const USUAL_PORTS: Partial<Record<string, number>> = { https: 443, http: 80, tls: 443, postgres: 5432 };
const USUAL_CONNECTIONS = 10;

/** How a host is spoken to; null: by HTTPS. */
export function protocolOf(fields: Fields, refuse: Refuse): HostProtocol | null {
  const protocol = fields.get('protocol') ?? 'https';
  if (protocol === 'https') return null;
  if (PROTOCOLS.some((one) => one === protocol)) return protocol as HostProtocol;
  refuse('protocol', `must be one of https, ${PROTOCOLS.join(', ')}`);
  return null;
}

/** The host's text with its port, which may be a field of its own, or be left out where the protocol has a usual one. */
export function withPort(fields: Fields, protocol: HostProtocol | null, refuse: Refuse): unknown {
  const host = fields.get('host');
  const port = fields.get('port') ?? null;
  if (typeof host !== 'string') return host;
  const hasPort = host.includes(':');
  if (port !== null && (hasPort || !Number.isInteger(port)))
    refuse('port', hasPort ? 'must be left out where host has one' : 'must be a whole number');
  if (hasPort) return host;
  const used = port ?? USUAL_PORTS[protocol ?? 'https'];
  if (used === undefined) refuse('port', 'must be given: TCP has no usual one');
  return used === undefined ? host : `${host}:${String(used)}`;
}

/** What of a rule is its protocol's alone. */
export function protocolFields(
  fields: Fields,
  protocol: HostProtocol | null,
  refuse: Refuse,
): Pick<HostRule, 'protocol' | 'postgres'> {
  const options = fields.get('postgres') ?? null;
  if (protocol !== 'postgres' && options !== null) refuse('postgres', 'is for the protocol postgres');
  const has = (field: string): boolean => (fields.get(field) ?? null) !== null;
  if (protocol !== null && protocol !== 'http')
    for (const field of ['methods', 'paths', 'plan'].filter(has))
      refuse(field, `is for http and https: ${protocol} has no such requests`);
  if ((protocol === 'tls' || protocol === 'tcp') && has('ask'))
    refuse('ask', `is for http, https and postgres: nobody can read what goes over ${protocol}`);
  if (protocol === null) return {};
  const within: Refuse = (field, message) => refuse(`postgres${field && `.${field}`}`, message);
  if (protocol !== 'postgres') return { protocol };
  const postgres = postgresRule(options ?? {}, within);
  if (postgres.readOnly && has('ask')) refuse('ask', 'must be left out where readOnly lets nothing write');
  return { protocol, postgres };
}

function postgresRule(options: unknown, refuse: Refuse): PostgresRule {
  if (!isObject(options)) refuse('', 'must be an object');
  const fields = new Map<string, unknown>(isObject(options) ? Object.entries(options) : []);
  for (const field of fields.keys())
    if (!POSTGRES_FIELDS.includes(field)) refuse(field, 'is not a field of this request');
  const readOnly = fields.get('readOnly') ?? false;
  if (typeof readOnly !== 'boolean') refuse('readOnly', 'must be true or false');
  return {
    database: nameIn(fields, 'database', refuse),
    role: nameIn(fields, 'role', refuse),
    readOnly: readOnly === true,
    statementTimeout: numberIn(fields, 'statementTimeout', MOST_STATEMENT_SECONDS, refuse),
    maxConnections: numberIn(fields, 'maxConnections', MOST_CONNECTIONS, refuse) ?? USUAL_CONNECTIONS,
  };
}

function nameIn(fields: Fields, field: string, refuse: Refuse): string | null {
  const name = fields.get(field) ?? null;
  if (name === null) return null;
  if (typeof name === 'string' && POSTGRES_NAME.test(name) && Buffer.byteLength(name) <= MAX_NAME_BYTES)
    return name;
  refuse(field, `must be a name of at most ${MAX_NAME_BYTES} bytes without control characters`);
  return null;
}

function numberIn(fields: Fields, field: string, most: number, refuse: Refuse): number | null {
  const given = fields.get(field) ?? null;
  if (given === null) return null;
  const number = field === 'statementTimeout' ? asSeconds(given) : given;
  if (Number.isInteger(number) && (number as number) >= 1 && (number as number) <= most)
    return number as number;
  refuse(field, `must be a whole number from 1 to ${most}`);
  return null;
}

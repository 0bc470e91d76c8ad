import {
  type GateService,
  type HostRule,
  parseHost,
  type PostgresOptions,
  type PostgresRule,
} from '../../../libs/egress/index.js';
import type { SignIn } from '../../secrets/index.js';

/** The user and the password that programs in the box find, in place of the true ones. */
const PLACEHOLDER = 'gatehouse';

/** The hosts of a run that are reached otherwise than by HTTPS, each name at an address of its own in the box. */
export function servicesOf(rules: readonly HostRule[], signIns: readonly SignIn[]): GateService[] {
  const addresses = new Map<string, string>();
  const services = new Map<string, GateService>();
  for (const { host, protocol, postgres, ask } of rules) {
    if (protocol === undefined) continue;
    const { name, port } = parseHost(host);
    const address = addresses.get(name) ?? addressOf(addresses.size + 1);
    addresses.set(name, address);
    const signIn = signIns.find(({ hosts }) => hosts.matches(name, port));
    services.set(host, {
      ...{ host, address, protocol, secret: signIn?.name ?? null },
      ...(postgres && { postgres: { ...postgresOptions(postgres, signIn), asks: ask !== undefined } }),
    });
  }
  return [...services.values()];
}

function postgresOptions(rule: PostgresRule, signIn: SignIn | undefined): PostgresOptions {
  const { role, readOnly, statementTimeout, maxConnections } = rule;
  const { user, password, database = null, sslmode = 'verify-full', ca = null } = signIn?.credentials ?? {};
  return {
    credentials: user === undefined || password === undefined ? null : { user, password },
    database: rule.database ?? database,
    ...{ sslmode, ca, role, readOnly, maxConnections },
    statementTimeoutMs: statementTimeout === null ? null : statementTimeout * 1000,
  };
}

/** What programs in the box find of the servers that the gate signs in to. */
export function variablesOf(services: readonly GateService[]): Record<string, string> {
  const signedIn = services.filter(({ secret }) => secret !== null);
  const [only, ...others] = signedIn;
  const named = Object.fromEntries(signedIn.map((service) => [service.secret!, addressFor(service)]));
  if (!only || others.length > 0) return named;
  const { name, port } = parseHost(only.host);
  return {
    ...{ DATABASE_URL: addressFor(only), PGHOST: name, PGPORT: String(port) },
    ...{ PGUSER: PLACEHOLDER, PGPASSWORD: PLACEHOLDER },
    ...(only.postgres?.database && { PGDATABASE: only.postgres.database }),
    ...named,
  };
}

function addressFor({ host, postgres }: GateService): string {
  const { name, port } = parseHost(host);
  return `postgresql://${PLACEHOLDER}:${PLACEHOLDER}@${name}:${port}/${encodeURIComponent(postgres?.database ?? '')}`;
}

/** The first is 127.1.0.1. */
function addressOf(number: number): string {
  return `127.1.${number >> 8}.${number & 255}`;
}

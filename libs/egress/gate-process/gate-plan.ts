import type { HostAuthorities } from '../host-authorities.js';
import type { GateLimits, GateSecret, GateService, GateTimeouts, Origin } from '../gate-options.js';
import type { HostRule } from '../request-rules.js';

/** What a gate lets through and attaches, as it goes to the process that does it: JSON. */
export interface GatePlan {
  hosts: readonly string[];
  rules: readonly HostRule[];
  secrets: readonly PlannedSecret[];
  services: readonly GateService[];
  origins: readonly (readonly [host: string, origin: Origin])[];
  /** CIDRs that may be dialled although they are not public. */
  allow: readonly string[];
  /** CIDRs to which secrets may be sent in the clear. */
  plainSecrets: readonly string[];
  /** Authorities to trust besides the usual ones, PEM. */
  ca: readonly string[];
  /** Of single hosts, which trust no others. */
  hostAuthorities: readonly HostAuthorities[];
  limits: Partial<GateLimits>;
  timeouts: Partial<GateTimeouts>;
  readsOnly: boolean;
  /** Whether each request is told of, not only counted. */
  tellsRequests: boolean;
  /** Whether somebody decides about requests that are held. */
  asks: boolean;
}

type PlannedSecret = Omit<GateSecret, 'hosts'> & { hosts: readonly string[] };

/** A gate as it is asked for: as `GateOptions`, with a dialer of its own. */
export interface RemoteGateOptions {
  hosts: readonly string[];
  rules?: readonly HostRule[];
  secrets?: readonly GateSecret[];
  services?: readonly GateService[];
  origins?: ReadonlyMap<string, Origin>;
  allow?: readonly string[];
  plainSecrets?: readonly string[];
  ca?: readonly string[];
  hostAuthorities?: readonly HostAuthorities[];
  limits?: Partial<GateLimits>;
  timeouts?: Partial<GateTimeouts>;
  readsOnly?: boolean;
}

export function planOf(options: RemoteGateOptions, told: Pick<GatePlan, 'tellsRequests' | 'asks'>): GatePlan {
  const {
    hosts,
    rules = [],
    secrets = [],
    services = [],
    origins,
    allow = [],
    plainSecrets = [],
    ca = [],
    hostAuthorities = [],
    limits = {},
    timeouts = {},
    readsOnly = false,
  } = options;
  return {
    hosts,
    rules,
    secrets: secrets.map((secret) => ({
      ...secret,
      hosts: secret.hosts.patterns.map(({ text }) => text),
    })),
    services,
    origins: [...(origins ?? [])],
    allow,
    plainSecrets,
    ca,
    hostAuthorities,
    limits,
    timeouts,
    readsOnly,
    ...told,
  };
}

/** Of all secrets that such a gate may use. */
export function secretNames({ secrets, services }: GatePlan): string[] {
  return [...secrets.map(({ name }) => name), ...services.flatMap(({ secret }) => secret ?? [])];
}

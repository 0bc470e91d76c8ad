import type { GateLimits, GateSecret, GateTimeouts, Origin } from '../gate-options.js';
import type { HostRule } from '../request-rules.js';

/** What a gate lets through and attaches, as it goes to the process that does it: JSON. */
export interface GatePlan {
  hosts: readonly string[];
  rules: readonly HostRule[];
  secrets: readonly PlannedSecret[];
  origins: readonly (readonly [host: string, origin: Origin])[];
  /** CIDRs that may be dialled although they are not public. */
  allow: readonly string[];
  /** Authorities to trust besides the usual ones, PEM. */
  ca: readonly string[];
  limits: Partial<GateLimits>;
  timeouts: Partial<GateTimeouts>;
  /** Whether each request is told of, not only counted. */
  tellsRequests: boolean;
}

type PlannedSecret = Omit<GateSecret, 'hosts'> & { hosts: readonly string[] };

/** A gate as it is asked for: as `GateOptions`, with a dialer of its own. */
export interface RemoteGateOptions {
  hosts: readonly string[];
  rules?: readonly HostRule[];
  secrets?: readonly GateSecret[];
  origins?: ReadonlyMap<string, Origin>;
  allow?: readonly string[];
  ca?: readonly string[];
  limits?: Partial<GateLimits>;
  timeouts?: Partial<GateTimeouts>;
}

export function planOf(options: RemoteGateOptions, tellsRequests: boolean): GatePlan {
  const {
    hosts,
    rules = [],
    secrets = [],
    origins,
    allow = [],
    ca = [],
    limits = {},
    timeouts = {},
  } = options;
  return {
    hosts,
    rules,
    secrets: secrets.map((secret) => ({
      ...secret,
      hosts: secret.hosts.patterns.map(({ text }) => text),
    })),
    origins: [...(origins ?? [])],
    allow,
    ca,
    limits,
    timeouts,
    tellsRequests,
  };
}

import type http from 'node:http';
import type { ByteBudget } from './byte-budget.js';
import type { GateLimits, GateTimeouts } from './gate-options.js';
import type { GateLog } from './gate-log.js';
import type { GateRequests } from './gate-requests.js';
import type { HeldRequests } from './held-requests.js';
import type { HostSet } from './host-set.js';
import type { RequestRules } from './request-rules.js';
import type { Router, UpstreamConnection } from './router.js';
import type { SecretPatterns } from './secret-patterns.js';
import type { UsageCounters } from './usage-counters.js';
import type { WithheldRequests } from './withheld-requests.js';

/** What the parts of one gate share. */
export interface GateContext {
  readonly hosts: HostSet;
  readonly rules: RequestRules;
  readonly router: Router;
  readonly patterns: SecretPatterns;
  readonly log: GateLog;
  readonly usage: UsageCounters;
  /** null: nobody wants to know of them one by one. */
  readonly requests: GateRequests | null;
  readonly held: HeldRequests;
  /** null: the run does not only read. */
  readonly withheld: WithheldRequests | null;
  /** For bodies that are read whole before they are sent. */
  readonly hashed: ByteBudget;
  readonly limits: GateLimits;
  readonly timeouts: GateTimeouts;
  agentFor(connection: UpstreamConnection): http.Agent;
  secretUsed(name: string): void;
}

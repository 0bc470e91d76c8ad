export { AddressRules } from './address-rules.js';
export { type ResponseLimits, ResponseReader, MalformedResponse } from './response-reader.js';
export { CertificateAuthority, createLeafKey } from './certificate-authority.js';
export type { AuthorityOptions, LeafKey, LeafOptions } from './certificate-authority.js';
export { AWS_PLACEHOLDER, type AwsKeys, parseAwsKeys } from './aws-keys.js';
export { Dialer } from './dialer.js';
export type { DialerOptions, DialTarget } from './dialer.js';
export { ConnectFailed, DnsFailed, EgressError, EgressRefused, TlsFailed } from './errors.js';
export { HOP_BY_HOP } from './forwarded-headers.js';
export { createGate, Gate } from './gate.js';
export type { GateLimits, GateOptions, GateSecret, GateTimeouts, Origin } from './gate-options.js';
export type { GateRequest } from './gate-requests.js';
export type { RemoteGateOptions } from './gate-process/gate-plan.js';
export { GateProcess } from './gate-process/gate-process.js';
export type { RemoteGate, RemoteGateEvents } from './gate-process/remote-gate.js';
export { isHostName } from './host-name.js';
export { hostLabel, InvalidHost, parseHost, patternsOverlap } from './host-pattern.js';
export type { HostPattern, HostProblem } from './host-pattern.js';
export { HostSet } from './host-set.js';
export { LeafContexts } from './leaf-contexts.js';
export { ConnectionLost, PostPool } from './post-pool.js';
export type { Posted, Posting, PostOrigin, PostPoolOptions } from './post-pool.js';
export { Redactor } from './redactor.js';
export { pathReadings } from './path-readings.js';
export type { HostRule } from './request-rules.js';
export type { Folder, RequestScope } from './request-scope.js';
export type { Lookup } from './system-resolver.js';
export { UnusableSecret } from './router.js';
export { createSafeAgent, createSafePlainAgent } from './safe-agent.js';
export type { SafeAgentOptions } from './safe-agent.js';
export { createSafeFetch } from './safe-fetch.js';
export type { SafeFetch, SafeFetchOptions } from './safe-fetch.js';
export { isMaskable } from './secret-forms.js';
export {
  checkPatterns,
  MASK,
  MAX_PATTERN_BYTES,
  SecretPatterns,
  TooManyPatterns,
} from './secret-patterns.js';
export { templateProblem } from './secret-template.js';
export { trustAuthority } from './trust.js';
export { valuesOfSecret } from './secret-values.js';
export type { HostUsage } from './usage-counters.js';

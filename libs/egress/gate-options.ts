import type { Dialer } from './dialer.js';
import type { GateRequest } from './gate-requests.js';
import type { DecideHeld } from './held-requests.js';
import type { HostSet } from './host-set.js';
import type { LeafContexts } from './leaf-contexts.js';
import type { PostgresOptions } from './protocols/postgres/index.js';
import type { HostProtocol, HostRule } from './request-rules.js';
import type { RequestScope } from './request-scope.js';
import { UNREPEATABLE_IDLE_MS } from './safe-agent.js';
import type { HostUsage } from './usage-counters.js';
import type { WithheldRequest } from './withheld-request.js';

/** A secret that the gate attaches to requests. */
export interface GateSecret {
  /** Said in errors and to `onSecretUsed`; the value never is. */
  name: string;
  /** Where it goes. A host that the gate does not let through gets nothing. */
  hosts: HostSet;
  /** The header that carries it. */
  header: string;
  /** The header's value, in which `{secret}` is replaced, and `{base64:…}` encoded with it. Default: `{secret}`. */
  template?: string;
  value: string;
  /** The value is `AwsKeys` in JSON, and requests are signed with them (AWS Signature Version 4). The header is `authorization`. */
  signing?: 'aws';
  /** Of Basic credentials, the user's name may be in responses: registries write it into addresses. Default: no. */
  userIsPublic?: boolean;
  /** Which requests get it; others pass without. Default: all. */
  scope?: RequestScope;
  /**
   * It opens nothing, so responses are not searched for it alone, which would take ranges, lengths and compression from them.
   * Requests get it unless they are plainly outside of this folder, such as `/` or `/gatehouse`.
   */
  harmlessBelow?: string;
}

/** A host that is reached otherwise than by HTTPS, for which the box has an address of its own. */
export interface GateService {
  /** A declared name with its port, such as `db.example.com:5432`. */
  host: string;
  /** In the box. */
  address: string;
  /** `http`: requests in the clear, judged as those of HTTPS, and secrets only where the dialer lets them. `tls`: the gate speaks TLS outward, the box TLS or plain text. `tcp`: a pipe. */
  protocol: HostProtocol;
  /** Of `postgres`. */
  postgres?: PostgresOptions;
  /** The name of the one that it signs in with; null: none. */
  secret: string | null;
}

/** Where requests for a declared host are really sent: a mirror of a registry, for example. */
export interface Origin {
  host: string;
  port: number;
  /** `http:` sends them, and their secrets, in the clear. */
  protocol: 'https:' | 'http:';
  /** By `http:`, secrets go there only where the dialer lets them go in the clear. Default: no, since an operator named it. */
  guarded?: boolean;
}

export interface GateLimits {
  /** Connections of scripts at a time. */
  connections: number;
  /** New connections a second, in the long run; four times as many at once. */
  connectionsPerSecond: number;
  /** Requests at a time: more than there are connections only where requests are pipelined. */
  requests: number;
  /** A request's head, in bytes; a response's may be twice as long. */
  headerBytes: number;
  /** Different names that are not declared, for which the gate still makes a certificate to say so. */
  undeclaredNames: number;
  /** Of a body that nobody wants, bytes that are read so that the response arrives. */
  discardedBytes: number;
  /** Of bodies that are read whole before they are sent, bytes that are kept at a time. */
  hashedBytes: number;
}

export interface GateTimeouts {
  /** Until a TLS handshake of the script is done, in ms. */
  handshakeMs: number;
  /** Until a request's head is there, in ms. */
  headersMs: number;
  /** Without a byte from or to the host while it is its turn, in ms. Models may think for minutes. */
  idleMs: number;
  /** How long ago a connection was used at most that gets a request which cannot be repeated, in ms. */
  unrepeatableIdleMs: number;
}

export interface GateOptions {
  /** The process's; the certificate of its authority is the one that the sandbox must trust. */
  ca: LeafContexts;
  /** What may be reached. */
  hosts: HostSet;
  /** Which requests of those, host by host. Default: all. */
  rules?: readonly HostRule[];
  secrets?: readonly GateSecret[];
  services?: readonly GateService[];
  dialer: Dialer;
  /** By the declared host's text, such as `registry.acme.test`. */
  origins?: ReadonlyMap<string, Origin>;
  /** Gets a line for each request that was refused or failed, until there are too many. No secret is in it. */
  log: (line: string) => void;
  /** Gets the counts so far, at most once a second, and when the gate has closed. */
  onUsage?: (usage: HostUsage[]) => void;
  /** A request with the secret of this name has left. */
  onSecretUsed?: (name: string) => void;
  /** Gets each request once its response is over, up to 256 of them. */
  onRequest?: (request: GateRequest) => void;
  /**
   * Every request but GET, HEAD and OPTIONS is refused and told of, and so are websockets, connections of
   * TLS and TCP, and SQL that may write. Default: no, and only what rules ask about is held.
   */
  readsOnly?: boolean;
  /** Gets what was not sent, since the run only reads. */
  onWithheld?: (request: WithheldRequest) => void;
  /** Decides about requests that are held. Without it they are refused. */
  onHeld?: DecideHeld;
  limits?: Partial<GateLimits>;
  timeouts?: Partial<GateTimeouts>;
}

export const DEFAULT_LIMITS: GateLimits = {
  connections: 256,
  connectionsPerSecond: 200,
  requests: 256,
  headerBytes: 32_768,
  undeclaredNames: 32,
  discardedBytes: 16_777_216,
  hashedBytes: 8_388_608,
};

export const DEFAULT_TIMEOUTS: GateTimeouts = {
  handshakeMs: 10_000,
  headersMs: 20_000,
  idleMs: 300_000,
  unrepeatableIdleMs: UNREPEATABLE_IDLE_MS,
};

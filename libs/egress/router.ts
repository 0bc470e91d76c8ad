import { type AwsKeys, parseAwsKeys } from './aws-keys.js';
import { type AwsSigning, readAwsRequest } from './aws-request.js';
import type { GateSecret, Origin } from './gate-options.js';
import { hostLabel } from './host-pattern.js';
import { depthInScope, mayBeIn, type ScopedRequest } from './request-scope.js';
import type { Refusal } from './refusal.js';
import { valuesOf } from './request-checks.js';
import { headerContent } from './secret-values.js';
import { notSignable } from './upstream-failure.js';

/** How a request reaches its host. `guarded`: in the clear and with secrets, where that is allowed. */
export type UpstreamConnection = 'https' | 'http' | 'guarded';

/** Where a request goes and what it takes along. */
export interface Route {
  /** The host as the script knows it. */
  label: string;
  origin: Origin;
  connection: UpstreamConnection;
  /** The Host header for the origin. */
  hostHeader: string;
  /** Names and values in turn. */
  secretHeaders: string[];
  secretNames: string[];
  /** For AWS. null: it goes without a signature. */
  signing: RouteSigning | null;
}

export interface RouteSigning extends AwsSigning {
  keys: AwsKeys;
}

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** The gate writes these itself. */
const RESERVED =
  /^(?:host|content-length|transfer-encoding|connection|upgrade|te|trailer|keep-alive|proxy-.*|expect)$/i;

const NO_RANGES =
  'it asks for a part of an object (Range), which could not be searched for the other secrets of this run; fetch objects whole, for example with a higher multipart_threshold, or keep AWS keys the only secret of the version';

interface PreparedSecret {
  name: string;
  header: string;
  /** What the header says, or what requests are signed with. */
  content: string | AwsKeys;
  /** Responses are not searched for it. */
  isHarmless: boolean;
  /** How exactly it is meant for a request: the longer the folder, the more so. -1: it is not. */
  fit(host: string, port: number, request: ScopedRequest): number;
}

/** A secret that cannot be attached. The message names it and never holds its value. */
export class UnusableSecret extends Error {
  constructor(
    readonly secret: string,
    reason: string,
  ) {
    super(`the secret ${secret} cannot be sent: ${reason}`);
    this.name = 'UnusableSecret';
  }
}

/** Knows for each host what is attached to its requests, and where they really go. */
export class Router {
  private readonly secrets: PreparedSecret[];

  /** @throws UnusableSecret */
  constructor(
    secrets: readonly GateSecret[],
    private readonly origins: ReadonlyMap<string, Origin> = new Map(),
  ) {
    this.secrets = secrets.map(prepare);
  }

  /** @param host declared, in its one form */
  route(host: string, port: number, request: ScopedRequest): Route {
    const label = hostLabel(host, port);
    const origin = this.origins.get(label) ?? { host, port, protocol: 'https:' };
    const used = this.fitting(host, port, request);
    const read = this.signing(used, host, request);
    const signing = 'problem' in read ? null : read.signing;
    const attached = used.filter(({ content }) => signing !== null || typeof content === 'string');
    return {
      label,
      origin,
      connection: connectionTo(origin, attached.length > 0),
      hostHeader: hostHeader(origin),
      secretHeaders: attached.flatMap(({ header, content }) =>
        typeof content === 'string' ? [header, content] : [],
      ),
      secretNames: attached.map(({ name }) => name),
      signing,
    };
  }

  /** Why a request cannot be signed that asks for it, or null. */
  check(host: string, port: number, request: ScopedRequest): Refusal | null {
    const read = this.signing(this.fitting(host, port, request), host, request);
    return 'problem' in read ? notSignable(hostLabel(host, port), read.problem) : null;
  }

  /** One for each header, since a server that gets two values may take either: the one that is meant most exactly. */
  private fitting(host: string, port: number, request: ScopedRequest): PreparedSecret[] {
    const fits = this.secrets.map((secret) => ({ secret, fit: secret.fit(host, port, request) }));
    const used = fits.filter(({ fit }) => fit >= 0).sort((one, other) => one.fit - other.fit);
    return [...new Map(used.map(({ secret }) => [secret.header.toLowerCase(), secret])).values()];
  }

  private signing(
    used: readonly PreparedSecret[],
    host: string,
    request: ScopedRequest,
  ): { signing: RouteSigning | null } | { problem: string } {
    const keys = used.map(({ content }) => content).find((content) => typeof content !== 'string');
    if (keys === undefined) return { signing: null };
    const read = readAwsRequest(host, request);
    if ('problem' in read) return read;
    if (read.signing === null) return { signing: null };
    if (!this.hasOnlyKeys && valuesOf(request.rawHeaders, 'range').length > 0) return { problem: NO_RANGES };
    return { signing: { ...read.signing, keys } };
  }

  /** A part of a body can hide a secret, but the part of AWS keys that is secret never leaves the gate. */
  private get hasOnlyKeys(): boolean {
    return this.secrets.every(({ content, isHarmless }) => typeof content !== 'string' || isHarmless);
  }
}

function prepare(secret: GateSecret): PreparedSecret {
  const { name, hosts, header, scope, harmlessBelow } = secret;
  const content = secret.signing === 'aws' ? keysOf(secret) : headerContent(secret);
  if (!HEADER_NAME.test(header) || RESERVED.test(header))
    throw new UnusableSecret(name, `${header} is not a header for it`);
  if (typeof content === 'string' && (!HEADER_VALUE.test(content) || content !== content.trim())) {
    throw new UnusableSecret(
      name,
      `its value, in the header ${header}, has a line break, an outer blank or a character beyond Latin-1`,
    );
  }
  return {
    name,
    header,
    content,
    isHarmless: harmlessBelow !== undefined,
    fit: (host, port, request) => {
      if (!hosts.matches(host, port)) return -1;
      if (harmlessBelow !== undefined) return mayBeIn(harmlessBelow, request) ? 0 : -1;
      return scope ? depthInScope(scope, request) : 0;
    },
  };
}

function keysOf({ name, header, value }: GateSecret): AwsKeys {
  const parsed = parseAwsKeys(value);
  if ('problem' in parsed) throw new UnusableSecret(name, `its value ${parsed.problem}`);
  if (header.toLowerCase() !== 'authorization')
    throw new UnusableSecret(name, 'a signature for AWS goes into the header authorization');
  return parsed.keys;
}

function connectionTo({ protocol, guarded = false }: Origin, withSecrets: boolean): UpstreamConnection {
  if (protocol === 'https:') return 'https';
  return guarded && withSecrets ? 'guarded' : 'http';
}

function hostHeader({ host, port, protocol }: Origin): string {
  const name = host.includes(':') ? `[${host}]` : host;
  return port === (protocol === 'https:' ? 443 : 80) ? name : `${name}:${port}`;
}

export function schemeOf({ protocol }: Origin): 'http' | 'https' {
  return protocol === 'http:' ? 'http' : 'https';
}

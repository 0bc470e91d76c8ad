import type { GateSecret, Origin } from './gate-options.js';
import { hostLabel } from './host-pattern.js';
import { depthInScope, type ScopedRequest } from './request-scope.js';
import { headerContent } from './secret-values.js';

/** Where a request goes and what it takes along. */
export interface Route {
  /** The host as the script knows it. */
  label: string;
  origin: Origin;
  /** The Host header for the origin. */
  hostHeader: string;
  /** Names and values in turn. */
  secretHeaders: string[];
  secretNames: string[];
}

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** The gate writes these itself. */
const RESERVED =
  /^(?:host|content-length|transfer-encoding|connection|upgrade|te|trailer|keep-alive|proxy-.*|expect)$/i;

interface PreparedSecret {
  name: string;
  header: string;
  value: string;
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
    const fits = this.secrets.map((secret) => ({ ...secret, fit: secret.fit(host, port, request) }));
    const used = fits.filter(({ fit }) => fit >= 0).sort((one, other) => one.fit - other.fit);
    // One value for a header: a server that gets two may take either. The last one stays.
    const headers = new Map(used.map(({ header, value }) => [header.toLowerCase(), [header, value]]));
    return {
      label,
      origin,
      hostHeader: hostHeader(origin),
      secretHeaders: [...headers.values()].flat(),
      secretNames: used.map(({ name }) => name),
    };
  }
}

function prepare(secret: GateSecret): PreparedSecret {
  const { name, hosts, header, scope } = secret;
  const content = headerContent(secret);
  if (!HEADER_NAME.test(header) || RESERVED.test(header))
    throw new UnusableSecret(name, `${header} is not a header for it`);
  if (!HEADER_VALUE.test(content) || content !== content.trim()) {
    throw new UnusableSecret(
      name,
      `its value, in the header ${header}, has a line break, an outer blank or a character beyond Latin-1`,
    );
  }
  return {
    name,
    header,
    value: content,
    fit: (host, port, request) => {
      if (!hosts.matches(host, port)) return -1;
      return scope ? depthInScope(scope, request) : 0;
    },
  };
}

function hostHeader({ host, port, protocol }: Origin): string {
  const name = host.includes(':') ? `[${host}]` : host;
  return port === (protocol === 'https:' ? 443 : 80) ? name : `${name}:${port}`;
}

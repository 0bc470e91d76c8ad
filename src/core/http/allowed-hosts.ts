import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';

import { InvalidRequest, ProblemError } from '../errors/index.js';

/** A name or an address, which is in brackets where it is of version 6, and perhaps a port. */
const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i;
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
/** How many spellings of hosts are cached: nobody who means well uses more. */
const MOST_KNOWN = 1000;

/** What is looked at of a request. */
export type AddressedRequest = Pick<IncomingMessage, 'url' | 'headers' | 'rawHeaders' | 'httpVersion'>;

/**
 * Which hosts the service serves: only names and addresses of our own. A page of another site can make its own name
 * point to this machine (DNS rebinding), and a browser then lets it read what is there. Ports do not matter: they are
 * mapped on the way.
 */
export class AllowedHosts {
  private readonly names: ReadonlySet<string>;
  /** As they were sent, so that the usual request costs one look-up. */
  private readonly known = new Set<string>();

  /** @param names besides the base address and this machine */
  constructor(baseUrl: string, names: readonly string[]) {
    this.names = new Set([new URL(baseUrl).hostname, ...names].map(plain));
  }

  /** Why a request is refused, or null. */
  refusal({ url, headers: { host }, rawHeaders, httpVersion }: AddressedRequest): ProblemError | null {
    if (host === undefined && httpVersion !== '1.0') {
      return InvalidRequest.at('host', 'is missing: HTTP/1.1 demands this header');
    }
    if (timesGiven(rawHeaders) > 1) return InvalidRequest.at('host', 'is given more than once');
    return this.refusalOf(host) ?? this.refusalOf(hostInTarget(url!));
  }

  private refusalOf(host: string | undefined): ProblemError | null {
    if (host === undefined || this.known.has(host)) return null;
    const name = HOST.exec(host)?.[1];
    if (name === undefined) return InvalidRequest.at('host', 'is neither a name nor an address');
    if (!this.isOurs(plain(name))) return misdirected(name);
    if (this.known.size >= MOST_KNOWN) this.known.clear();
    this.known.add(host);
    return null;
  }

  private isOurs(name: string): boolean {
    return this.names.has(name) || LOOPBACK.test(name) || isOfThisMachine(name);
  }
}

/** Node takes the first of several, and a proxy before it perhaps another. */
function timesGiven(rawHeaders: readonly string[]): number {
  let times = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === 4 && name.toLowerCase() === 'host') times++;
  }
  return times;
}

/** The first line of a request may name a host too, which goes before the header (RFC 9112, section 3.2.2). */
function hostInTarget(target: string): string | undefined {
  return target.startsWith('/') ? undefined : /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(target)?.[1];
}

/** Normalized: small letters, no dot at the end, addresses as they are usually written. */
function plain(name: string): string {
  const host = isIPv6(name) ? `[${name}]` : name.replace(/\.$/, '').toLowerCase();
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : host;
}

/** Addresses come and go with networks, so they are looked up anew. */
function isOfThisMachine(name: string): boolean {
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return own.some(({ address }) => plain(address) === name);
}

function misdirected(name: string): ProblemError {
  return new ProblemError(
    'misdirected_request',
    `Nothing is served here for the host "${name.slice(0, 255)}". Whoever operates this service adds it to GATEHOUSE_HOSTS, or sets GATEHOUSE_BASE_URL to the address that people use.`,
  );
}

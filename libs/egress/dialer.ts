import { isIP } from 'node:net';
import type net from 'node:net';
import tls from 'node:tls';
import { AddressRanges, AddressRules } from './address-rules.js';
import { connectAny } from './connect-any.js';
import { ConnectFailed, DnsFailed, EgressRefused, TlsFailed } from './errors.js';
import { whyConnectFailed, whyDnsFailed, whyTlsFailed } from './failure-reasons.js';
import { type HostAuthorities, HostTrust, ownTrustContext } from './host-authorities.js';
import { type Lookup, SystemResolver } from './system-resolver.js';
import { trustContext } from './trust.js';
import { untilOpen } from './until-open.js';

export interface DialerOptions {
  /** CIDRs that may be dialled although they are not public. */
  allow?: readonly string[];
  /** CIDRs to which secrets may be sent in the clear. Default: none. */
  plainSecrets?: readonly string[];
  /** Instead of the hosts file and DNS. */
  lookup?: Lookup;
  /** DNS servers, such as `127.0.0.1:5353`. Default: the system's. */
  dnsServers?: readonly string[];
  /** Authorities to trust besides the process's own, PEM. */
  ca?: readonly string[];
  /** Of single hosts, for which nothing else is trusted then. */
  hostAuthorities?: readonly HostAuthorities[];
  /** For resolving, connecting and the TLS handshake together. Default 10 s. */
  timeoutMs?: number;
}

interface DialTarget {
  /** A name, or an address (an IPv6 one with or without brackets). */
  host: string;
  port: number;
  /** Secrets go over it in the clear, so all addresses of the host have to be among `plainSecrets`. */
  carriesSecrets?: boolean;
  /** Gives up early, with the signal's reason. */
  signal?: AbortSignal;
}

export interface HostTrustContext {
  /** Takes milliseconds where it has not been made before. */
  context: () => tls.SecureContext;
  /** Whether the host has authorities of its own, and nothing else is trusted. */
  isOwn: boolean;
}

const DEFAULT_TIMEOUT_MS = 10_000;
const NOT_IN_THE_CLEAR =
  'a secret would go there in the clear, and not all of its addresses are among those to which the operator lets that happen; use HTTPS';
const MAX_NAME_LENGTH = 253;
/** Underscores are not for host names, but some have them. */
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
/** What C libraries read as an IPv4 address, in whatever base: its last label is a number. */
const NUMERIC = /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/;

/**
 * The one place from which connections go out. A name is resolved once, addresses that may not be dialled are
 * dropped, and what is left is dialled by address: whatever the name says a moment later changes nothing.
 *
 * @example
 * const dialer = new Dialer({ allow: ['10.20.0.0/16'] });
 * const socket = await dialer.connectTls({ host: 'api.example.com', port: 443 });
 */
export class Dialer {
  private readonly rules: AddressRules;
  private readonly plainSecrets: AddressRanges;
  private readonly lookup: Lookup;
  private readonly timeoutMs: number;
  private readonly hostTrust: HostTrust;
  /** By the authorities of their hosts; null: of all others. */
  private readonly contexts = new Map<string | null, tls.SecureContext>();

  /** @throws RangeError when an entry of `allow` or `plainSecrets` is not a range of addresses */
  constructor(private readonly options: DialerOptions = {}) {
    this.rules = new AddressRules(options.allow);
    this.plainSecrets = new AddressRanges(options.plainSecrets);
    this.hostTrust = new HostTrust(options.hostAuthorities);
    const resolver = new SystemResolver({ ...(options.dnsServers && { servers: options.dnsServers }) });
    this.lookup = options.lookup ?? ((name) => resolver.addresses(name));
    this.timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  }

  /**
   * What certificates of a host are checked against.
   *
   * @param also an authority to trust besides, PEM. What is made with one is for the caller to keep
   */
  trustFor(host: string, port: number, also: string | null = null): HostTrustContext {
    const own = this.hostTrust.of(nameOf(host), port);
    return {
      isOwn: own !== null,
      context: () => (also === null ? this.keptContext(own) : this.newContext(own, [also])),
    };
  }

  /**
   * The addresses of a host that may be dialled. For a check ahead of time; `connect` makes its own.
   * @throws EgressRefused, DnsFailed
   */
  async addresses(host: string): Promise<string[]> {
    return this.within({ host, port: 0 }, (signal) => this.resolve({ host }, signal));
  }

  /** @throws EgressRefused, DnsFailed, ConnectFailed, or the signal's reason */
  async connect(target: DialTarget): Promise<net.Socket> {
    return this.within(target, (signal) => this.open(target, signal));
  }

  /**
   * Connects and speaks TLS, HTTP/1.1 within; the certificate is checked for the host as it was named.
   * @throws EgressRefused, DnsFailed, ConnectFailed, TlsFailed, or the signal's reason
   */
  async connectTls(target: DialTarget): Promise<tls.TLSSocket> {
    return this.within(target, async (signal) =>
      this.secure(await this.open(target, signal), target, signal),
    );
  }

  /**
   * Speaks TLS on a connection of {@link connect}, with nothing said of what is within; the certificate is checked for the host.
   * @throws TlsFailed
   */
  async secureFor(socket: net.Socket, target: Pick<DialTarget, 'host' | 'port'>): Promise<tls.TLSSocket> {
    return this.within(target, (signal) => this.secure(socket, target, signal, []));
  }

  private keptContext(own: string | null): tls.SecureContext {
    const context = this.contexts.get(own) ?? this.newContext(own);
    this.contexts.set(own, context);
    return context;
  }

  private newContext(own: string | null, also: readonly string[] = []): tls.SecureContext {
    return own === null
      ? trustContext([...(this.options.ca ?? []), ...also])
      : ownTrustContext([own, ...also]);
  }

  private async within<T>(target: DialTarget, dial: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    const onAbort = (): void => controller.abort(target.signal?.reason);
    if (target.signal?.aborted) onAbort();
    target.signal?.addEventListener('abort', onAbort, { once: true });
    const timer = setTimeout(() => controller.abort(new TimeIsUp()), this.timeoutMs);
    try {
      return await dial(controller.signal);
    } finally {
      clearTimeout(timer);
      target.signal?.removeEventListener('abort', onAbort);
    }
  }

  private async resolve(
    { host, carriesSecrets = false }: Pick<DialTarget, 'host' | 'carriesSecrets'>,
    signal: AbortSignal,
  ): Promise<string[]> {
    const name = host
      .toLowerCase()
      .replace(/^\[(.*)\]$/, '$1')
      .replace(/\.$/, '');
    const found = isIP(name) === 0 ? await this.find(host, name, signal) : [name];
    if (found.length === 0) throw new DnsFailed(host, 'the name has no address');
    if (carriesSecrets && !found.every((address) => this.plainSecrets.includes(address)))
      throw new EgressRefused(host, NOT_IN_THE_CLEAR);
    const problems = found.map((address) => this.rules.problem(address));
    const allowed = found.filter((_, index) => problems[index] === null);
    if (allowed.length > 0) return allowed;
    const subject = isIP(name) === 0 ? 'the address that the name stands for' : 'the address';
    throw new EgressRefused(host, `${subject} ${problems[0]}`);
  }

  private async find(host: string, name: string, signal: AbortSignal): Promise<string[]> {
    if (NUMERIC.test(name))
      throw new EgressRefused(host, 'it is neither a name nor an address in its usual form');
    if (name.length > MAX_NAME_LENGTH || !name.split('.').every((label) => LABEL.test(label))) {
      throw new DnsFailed(host, 'it is not a host name');
    }
    try {
      return await untilAborted(this.lookup(name), signal);
    } catch (error) {
      throw (
        ended(error, signal) ?? new DnsFailed(host, whyDnsFailed(error), timedOut(error), { cause: error })
      );
    }
  }

  private async open(target: DialTarget, signal: AbortSignal): Promise<net.Socket> {
    const { host, port } = target;
    const addresses = await this.resolve(target, signal);
    try {
      return await connectAny(addresses, { port, signal });
    } catch (error) {
      throw (
        ended(error, signal) ??
        new ConnectFailed(host, whyConnectFailed(error), timedOut(error), { cause: error })
      );
    }
  }

  private async secure(
    socket: net.Socket,
    { host, port }: Pick<DialTarget, 'host' | 'port'>,
    signal: AbortSignal,
    protocols = ['http/1.1'],
  ): Promise<tls.TLSSocket> {
    const name = nameOf(host);
    const { context, isOwn } = this.trustFor(host, port);
    const secured = tls.connect({
      socket,
      host: name,
      // Addresses are not sent as server names (RFC 6066, 3).
      ...(isIP(name) === 0 && { servername: name }),
      secureContext: context(),
      ...(protocols.length > 0 && { ALPNProtocols: protocols }),
      // Said again, so that no environment variable can turn it off.
      rejectUnauthorized: true,
    });
    try {
      return await untilOpen(secured, 'secureConnect', signal);
    } catch (error) {
      throw (
        ended(error, signal) ??
        new TlsFailed(host, whyTlsFailed(error, isOwn), timedOut(error), { cause: error })
      );
    }
  }
}

/** Without what is written around an address, or behind a name. */
function nameOf(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

class TimeIsUp extends Error {}

function timedOut(error: unknown): boolean {
  const errors: unknown[] = error instanceof AggregateError ? error.errors : [error];
  const codes = errors.map((one) => (one as { code?: unknown } | null)?.code);
  return error instanceof TimeIsUp || codes.includes('ETIMEDOUT') || codes.includes('ETIMEOUT');
}

/** The caller's own reason, when it was the caller who gave up. */
function ended(error: unknown, signal: AbortSignal): unknown {
  const byCaller = signal.aborted && error === signal.reason && !(error instanceof TimeIsUp);
  return byCaller ? error : undefined;
}

function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

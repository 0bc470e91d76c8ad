import { Resolver } from 'node:dns/promises';
import { HostsFile } from './hosts-file.js';

/** Finds a name's addresses, best first. It rejects, or resolves with none, when there are none. */
export type Lookup = (name: string) => Promise<string[]>;

interface ResolverOptions {
  /** DNS servers, such as `127.0.0.1:5353`. Default: the system's. */
  servers?: readonly string[];
  hostsFile?: string;
}

const QUERY_TIMEOUT_MS = 1500;
const TRIES = 3;
/** How long IPv6 addresses may take once there are IPv4 ones (RFC 8305, 3). */
const SECOND_FAMILY_MS = 50;
/** The system's servers may change under a process that runs for months. */
const SETTINGS_FRESH_MS = 30_000;

/**
 * Resolves by the hosts file, then DNS. Not by getaddrinfo: that takes a thread of the pool which files and
 * compression need too, and a slow name server would keep it.
 */
export class SystemResolver {
  private readonly hostsFile: HostsFile;
  private resolver: Resolver;
  private madeAt = performance.now();

  constructor(private readonly options: ResolverOptions = {}) {
    this.hostsFile = new HostsFile(options.hostsFile);
    this.resolver = this.newResolver();
  }

  /**
   * @param name lower-case ASCII, without a final dot
   * @throws the DNS library's error with its `code`, such as ENOTFOUND
   */
  async addresses(name: string): Promise<string[]> {
    const own = await this.hostsFile.addresses(name);
    if (own.length > 0) return own;
    if (name === 'localhost' || name.endsWith('.localhost')) return ['127.0.0.1', '::1'];
    if (performance.now() - this.madeAt > SETTINGS_FRESH_MS) this.resolver = this.newResolver();
    const ipv6 = settle(this.resolver.resolve6(name));
    const ipv4 = await settle(this.resolver.resolve4(name));
    const late = await (ipv4.addresses.length > 0 ? Promise.race([ipv6, pause(SECOND_FAMILY_MS)]) : ipv6);
    const found = [...ipv4.addresses, ...(late?.addresses ?? [])];
    if (found.length === 0) throw mostTelling(ipv4.error, late?.error);
    return found;
  }

  private newResolver(): Resolver {
    this.madeAt = performance.now();
    const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: TRIES });
    if (this.options.servers) resolver.setServers(this.options.servers);
    return resolver;
  }
}

interface Settled {
  addresses: string[];
  error: unknown;
}

async function settle(query: Promise<string[]>): Promise<Settled> {
  try {
    return { addresses: await query, error: undefined };
  } catch (error) {
    return { addresses: [], error };
  }
}

function pause(ms: number): Promise<null> {
  return new Promise((resolve) => setTimeout(resolve, ms, null).unref());
}

/** "No IPv6 address" says less than what became of the IPv4 query, unless that one has as little to say. */
function mostTelling(first: unknown, second: unknown): unknown {
  const empty = (error: unknown): boolean => (error as { code?: string } | undefined)?.code === 'ENODATA';
  return empty(first) && second !== undefined ? second : (first ?? second);
}

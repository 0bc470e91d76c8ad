import { type HostPattern, parents, parseHost } from './host-pattern.js';

/**
 * Hosts that may be reached. It looks whole names up, so nothing that merely ends like a declared host gets through.
 *
 * @example
 * new HostSet(['*.example.com']).matches('api.example.com', 443); // true
 */
export class HostSet {
  readonly patterns: readonly HostPattern[];
  private readonly exact = new Set<string>();
  private readonly below = new Set<string>();

  /** @throws InvalidHost for a text that is not a host */
  constructor(hosts: Iterable<HostPattern | string>) {
    this.patterns = Array.from(hosts, (host) => (typeof host === 'string' ? parseHost(host) : host));
    for (const { name, wildcard, port } of this.patterns)
      (wildcard ? this.below : this.exact).add(`${name}:${port}`);
  }

  /** @param name in its one form (`isHostName`) */
  matches(name: string, port: number): boolean {
    if (this.exact.has(`${name}:${port}`)) return true;
    return this.below.size > 0 && parents(name).some((parent) => this.below.has(`${parent}:${port}`));
  }

  /** Whether the name is there with another port: worth a word to whoever was refused. */
  portsOf(name: string): number[] {
    return [...new Set(this.patterns.map(({ port }) => port))].filter((port) => this.matches(name, port));
  }
}

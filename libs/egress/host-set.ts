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

  /** As what a name is declared, a wildcard only where it is not by itself; null: it is not. @param name in its one form */
  declarationOf(name: string, port: number): string | null {
    const above = parents(name);
    const fits = this.patterns.filter(
      (pattern) =>
        pattern.port === port && (pattern.wildcard ? above.includes(pattern.name) : pattern.name === name),
    );
    return (fits.find(({ wildcard }) => !wildcard) ?? fits[0])?.text ?? null;
  }

  /** Whether the name is there with another port: worth a word to whoever was refused. */
  portsOf(name: string): number[] {
    return [...new Set(this.patterns.map(({ port }) => port))].filter((port) => this.matches(name, port));
  }
}

import tls from 'node:tls';
import { type HostPattern, parents, parseHost } from './host-pattern.js';

/** Authorities of a host's own. They replace all others for it. */
export interface HostAuthorities {
  /** As it is declared: `db.example.com:5432`, `*.example.com`. */
  host: string;
  /** Certificates that each may end a chain, PEM. */
  certificates: string;
}

/** Which hosts have authorities of their own. A name counts before a wildcard, and a nearer wildcard before a wider one. */
export class HostTrust {
  private readonly byHost = new Map<string, string>();

  /** @throws InvalidHost */
  constructor(given: readonly HostAuthorities[] = []) {
    for (const { host, certificates } of given) this.byHost.set(keyOf(parseHost(host)), certificates);
  }

  /** PEM; null: it has none. @param name in its one form */
  of(name: string, port: number): string | null {
    if (this.byHost.size === 0) return null;
    const patterns = [
      { name, wildcard: false },
      ...parents(name).map((above) => ({ name: above, wildcard: true })),
    ];
    for (const pattern of patterns) {
      const certificates = this.byHost.get(keyOf({ ...pattern, port }));
      if (certificates !== undefined) return certificates;
    }
    return null;
  }
}

/** Trusts nothing but these. @param certificates PEM, which need not be roots: a chain may end at any of them */
export function ownTrustContext(certificates: readonly string[]): tls.SecureContext {
  return tls.createSecureContext({
    minVersion: 'TLSv1.2',
    ca: [...certificates],
    allowPartialTrustChain: true,
  });
}

function keyOf({ name, wildcard, port }: Pick<HostPattern, 'name' | 'wildcard' | 'port'>): string {
  return `${wildcard ? '*.' : ''}${name}:${port}`;
}

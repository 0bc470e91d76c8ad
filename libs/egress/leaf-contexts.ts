import tls from 'node:tls';
import { type CertificateAuthority, createLeafKey, type LeafKey } from './certificate-authority.js';

interface Entry {
  context: tls.SecureContext;
  madeAt: number;
}

interface LeafContextsOptions {
  /** Kept at most; the one unused for the longest goes first. Default 256. */
  max?: number;
}

/** Made anew long before its certificate expires. */
const FRESH_MS = 86_400_000;

/** TLS contexts for names as they are asked for, all with one key: making one takes half a millisecond. */
export class LeafContexts {
  /** For clients that name no server: a certificate for a name that nobody has. */
  readonly nameless: { cert: string; key: string };
  private readonly key: LeafKey = createLeafKey();
  private readonly entries = new Map<string, Entry>();
  private readonly max: number;

  constructor(
    readonly authority: CertificateAuthority,
    { max = 256 }: LeafContextsOptions = {},
  ) {
    this.max = max;
    this.nameless = this.credentials('no-server-name.invalid');
  }

  get size(): number {
    return this.entries.size;
  }

  /** @param host in its one form */
  contextFor(host: string): tls.SecureContext {
    const known = this.entries.get(host);
    const entry = known && Date.now() - known.madeAt < FRESH_MS ? known : this.make(host);
    // The map's order is the order of last use.
    this.entries.delete(host);
    this.entries.set(host, entry);
    const [oldest] = this.entries.keys();
    if (this.entries.size > this.max && oldest !== undefined) this.entries.delete(oldest);
    return entry.context;
  }

  private make(host: string): Entry {
    const context = tls.createSecureContext({ ...this.credentials(host), minVersion: 'TLSv1.2' });
    return { context, madeAt: Date.now() };
  }

  private credentials(host: string): { cert: string; key: string } {
    const cert = this.authority.issue({ hosts: [host], publicKey: this.key.publicKey });
    return { cert, key: this.key.privateKey };
  }
}

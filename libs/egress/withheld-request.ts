import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { headerPairs } from './forwarded-headers.js';

export const MAX_WITHHELD_TEXT_BYTES = 65_536;
export const WITHHELD_PROTOCOLS = ['https', 'http', 'websocket', 'postgres', 'tls', 'tcp'] as const;

/** What may pass, but not where a run only reads: nothing of it has left. */
export interface WithheldRequest {
  /** When it was there whole, in milliseconds since 1970. */
  at: number;
  protocol: (typeof WITHHELD_PROTOCOLS)[number];
  /** As in the counts: `api.example.com`, with the port unless it is 443. */
  host: string;
  /** Of PostgreSQL, the command of the statement; `CONNECT` of a connection. */
  method: string;
  /** Path and query; of PostgreSQL, the database. */
  target: string;
  /** Names and values as the script sent them. No secret of the gate's is among them. */
  headers: [name: string, value: string][];
  body: WithheldBody;
}

export interface WithheldBody {
  bytes: number;
  /** In hexadecimal. */
  sha256: string;
  /** The whole of it; null where it is longer than 64 KiB or not UTF-8. */
  text: string | null;
}

/** Nothing is slowed down by whoever would get it. */
const MOST_BYTES = 1_073_741_824;

/** Digests a body, and keeps a short one. */
export class BodyDigest {
  private readonly hash = createHash('sha256');
  private readonly kept: Buffer[] = [];
  private bytes = 0;

  get isTooLong(): boolean {
    return this.bytes > MOST_BYTES;
  }

  add(chunk: Buffer): void {
    this.hash.update(chunk);
    this.bytes += chunk.length;
    if (this.bytes <= MAX_WITHHELD_TEXT_BYTES) this.kept.push(chunk);
    else this.kept.length = 0;
  }

  end(): WithheldBody {
    const { bytes } = this;
    const kept = bytes <= MAX_WITHHELD_TEXT_BYTES ? Buffer.concat(this.kept) : null;
    const text = kept !== null && isUtf8(kept) ? kept.toString() : null;
    return { bytes, sha256: this.hash.digest('hex'), text };
  }
}

export function bodyOf(bytes: Buffer): WithheldBody {
  const digest = new BodyDigest();
  digest.add(bytes);
  return digest.end();
}

/** A request of HTTP. @param label of its host */
export function withheldRequest(
  label: string,
  protocol: 'https' | 'http' | 'websocket',
  { method = '', url: target = '', rawHeaders }: IncomingMessage,
  body: WithheldBody,
): Omit<WithheldRequest, 'at'> {
  return { protocol, host: label, method, target, headers: headerPairs(rawHeaders), body };
}

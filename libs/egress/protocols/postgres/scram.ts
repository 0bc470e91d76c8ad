import { createHash, createHmac, pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Malformed } from './read-bytes.js';

/** What ties the sign-in to the TLS connection (RFC 5929, tls-server-end-point). */
export type ChannelBinding =
  /** There is no TLS, or its certificate has no hash to use. */
  | { kind: 'none' }
  /** It could be used, but the server does not offer it. */
  | { kind: 'unoffered' }
  | { kind: 'end-point'; hash: Buffer };

const NONCE_BYTES = 18;
const KEY_BYTES = 32;
const MAX_SALT_BYTES = 1024;
/**
 * PostgreSQL's default is 4,096, and each thousand takes half a millisecond of a thread that all runs share. A hostile
 * server may ask for two billion.
 */
const MAX_ITERATIONS = 100_000;
/** Whoever plays the server gets a proof to guess the password by: fewer make each guess cheaper (RFC 7677, 4). */
const MIN_ITERATIONS = 4_096;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** Printable ASCII but the comma (RFC 5802, 7). */
const FIRST = /^r=([\x21-\x2b\x2d-\x7e]+),s=([A-Za-z0-9+/=]+),i=([1-9][0-9]{0,9})$/;
const FINAL = /^v=([A-Za-z0-9+/=]+)$/;

const derive = promisify(pbkdf2);

/** The client's half of SCRAM-SHA-256 and -PLUS (RFC 5802, 7677), which also makes the server prove itself. */
export class ScramClient {
  private readonly firstBare: string;
  private signature: Buffer | null = null;

  /** @param nonce for tests only */
  constructor(
    private readonly password: string,
    private readonly binding: ChannelBinding,
    private readonly nonce = randomBytes(NONCE_BYTES).toString('base64'),
    user = '',
    /** Whether the server's certificate was checked. */
    private readonly isVerified = false,
  ) {
    // PostgreSQL takes the user from the start-up message.
    this.firstBare = `n=${user},r=${nonce}`;
  }

  get mechanism(): 'SCRAM-SHA-256' | 'SCRAM-SHA-256-PLUS' {
    return this.binding.kind === 'end-point' ? 'SCRAM-SHA-256-PLUS' : 'SCRAM-SHA-256';
  }

  first(): string {
    return `${this.header}${this.firstBare}`;
  }

  /** @throws Malformed when the server's challenge is not to be responded to */
  async respond(challenge: string): Promise<string> {
    const [, nonce = '', salt64 = '', iterations = ''] = FIRST.exec(challenge) ?? [];
    if (nonce === '' || !BASE64.test(salt64)) throw new Malformed('its SCRAM challenge cannot be read');
    if (!nonce.startsWith(this.nonce) || nonce.length <= this.nonce.length)
      throw new Malformed('its SCRAM challenge is for another sign-in');
    const salt = Buffer.from(salt64, 'base64');
    if (salt.length > MAX_SALT_BYTES) throw new Malformed('the salt of its SCRAM challenge is too long');
    const count = Number(iterations);
    if (count > MAX_ITERATIONS)
      throw new Malformed(`its SCRAM challenge asks for more than ${MAX_ITERATIONS} iterations`);
    if (count < MIN_ITERATIONS && !this.isVerified)
      throw new Malformed(
        `its SCRAM challenge asks for fewer than ${MIN_ITERATIONS} iterations, which takes sslmode verify-ca or verify-full`,
      );
    const salted = await derive(this.password, salt, count, KEY_BYTES, 'sha256');
    const clientKey = hmac(salted, 'Client Key');
    const storedKey = createHash('sha256').update(clientKey).digest();
    const bound = this.binding.kind === 'end-point' ? this.binding.hash : Buffer.alloc(0);
    const channel = Buffer.concat([Buffer.from(this.header), bound]).toString('base64');
    const unproved = `c=${channel},r=${nonce}`;
    const text = `${this.firstBare},${challenge},${unproved}`;
    const proof = hmac(storedKey, text);
    for (let at = 0; at < proof.length; at++) proof[at]! ^= clientKey[at]!;
    this.signature = hmac(hmac(salted, 'Server Key'), text);
    return `${unproved},p=${proof.toString('base64')}`;
  }

  /** @throws Malformed when the server does not know the password either */
  verify(final: string): void {
    const given = Buffer.from(FINAL.exec(final)?.[1] ?? '', 'base64');
    const { signature } = this;
    if (signature === null || given.length !== signature.length || !timingSafeEqual(given, signature))
      throw new Malformed('it has not proved that it knows the password');
  }

  private get header(): string {
    if (this.binding.kind === 'end-point') return 'p=tls-server-end-point,,';
    return this.binding.kind === 'unoffered' ? 'y,,' : 'n,,';
  }
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

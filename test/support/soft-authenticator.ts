import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

import type { Json } from '../../libs/testing/index.js';
import { baseUrl } from './gatehouse.js';

const USER_PRESENT_AND_VERIFIED = 0x05;
const HAS_CREDENTIAL = 0x40;

/** What an attacker would have otherwise than a browser has it. */
export interface Lies {
  origin?: string;
  rpId?: string;
  challenge?: string;
  count?: number;
  userHandle?: string;
  unverified?: boolean;
}

/** A device with one passkey (ES256), without a browser before it: it signs whatever it is told. */
export class SoftAuthenticator {
  readonly credentialId = randomBytes(32);
  count = 0;
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  private userHandle = '';

  get id(): string {
    return this.credentialId.toString('base64url');
  }

  /** A copy of it, which counts for itself. */
  copy(): SoftAuthenticator {
    return Object.assign(Object.create(SoftAuthenticator.prototype) as SoftAuthenticator, this);
  }

  /** The response to options for a new passkey, as JSON of WebAuthn. */
  create(options: Json, lies: Lies = {}): Json {
    this.userHandle = options.user.id;
    const attested = Buffer.concat([
      Buffer.alloc(16),
      uint16(this.credentialId.length),
      this.credentialId,
      coseKey(this.keys.publicKey),
    ]);
    const data = Buffer.concat([this.authenticatorData(options.rp.id, HAS_CREDENTIAL, lies), attested]);
    const attestation = cbor(
      new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', data],
      ]),
    );
    return this.response({
      clientDataJSON: base64url(clientData('webauthn.create', options.challenge, lies)),
      attestationObject: base64url(attestation),
      transports: ['internal', 'nonsense'],
    });
  }

  /** The response to options for signing in, as JSON of WebAuthn. */
  get(options: Json, lies: Lies = {}): Json {
    this.count = lies.count ?? this.count + 1;
    const data = this.authenticatorData(options.rpId, 0, lies);
    const client = clientData('webauthn.get', options.challenge, lies);
    const signed = Buffer.concat([data, sha256(client)]);
    return this.response({
      clientDataJSON: base64url(client),
      authenticatorData: base64url(data),
      signature: base64url(sign('sha256', signed, this.keys.privateKey)),
      userHandle: lies.userHandle ?? this.userHandle,
    });
  }

  private response(response: Json): Json {
    return { id: this.id, rawId: this.id, type: 'public-key', clientExtensionResults: {}, response };
  }

  private authenticatorData(rpId: string, flags: number, lies: Lies): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(this.count);
    const own = lies.unverified ? 0x01 : USER_PRESENT_AND_VERIFIED;
    return Buffer.concat([sha256(Buffer.from(lies.rpId ?? rpId)), Buffer.from([own | flags]), count]);
  }
}

function clientData(type: string, challenge: string, lies: Lies): Buffer {
  const origin = lies.origin ?? new URL(baseUrl()).origin;
  return Buffer.from(
    JSON.stringify({ type, challenge: lies.challenge ?? challenge, origin, crossOrigin: false }),
  );
}

function coseKey(key: KeyObject): Buffer {
  const { x, y } = key.export({ format: 'jwk' });
  return cbor(
    new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x!, 'base64url')],
      [-3, Buffer.from(y!, 'base64url')],
    ]),
  );
}

/** As much of CBOR as a passkey needs. */
function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Map) {
    return Buffer.concat([head(5, value.size), ...[...value].flat().map(cbor)]);
  }
  return Buffer.concat([head(2, (value as Buffer).length), value as Buffer]);
}

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  if (length < 256) return Buffer.from([(major << 5) | 24, length]);
  return Buffer.concat([Buffer.from([(major << 5) | 25]), uint16(length)]);
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();
const base64url = (bytes: Buffer): string => bytes.toString('base64url');

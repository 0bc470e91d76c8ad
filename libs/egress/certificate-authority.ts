import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { bits, identifier, integer, octets, sequence, set, tagged, time, truth, utf8 } from './der.js';

interface AuthorityOptions {
  /** The authority's common name. Default: `Sandbox authority` and a random number. */
  name?: string;
  validDays?: number;
}

export interface LeafOptions {
  /** Names and addresses that it is for. */
  hosts: readonly string[];
  /** SubjectPublicKeyInfo, DER. */
  publicKey: Buffer;
  notBefore?: Date;
  notAfter?: Date;
}

/** A private key as PEM (PKCS 8), and its public half as DER (SubjectPublicKeyInfo). */
export interface LeafKey {
  privateKey: string;
  publicKey: Buffer;
}

/** An authority as it goes from one process to another, PEM. */
export interface AuthorityIdentity {
  name: string;
  privateKey: string;
  certificate: string;
}

const DAY_MS = 86_400_000;
const LEAF_DAYS = 30;
/** Clocks of both sides are the same machine's, but a clock may be set back. */
const BACKDATED_DAYS = 1;
const MAX_COMMON_NAME = 64;
const CURVE = 'P-256';

const COMMON_NAME = identifier('2.5.4.3');
const ECDSA_WITH_SHA256 = sequence(identifier('1.2.840.10045.4.3.2'));
const SERVER_AUTHENTICATION = identifier('1.3.6.1.5.5.7.3.1');
const EXTENSION = {
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
};
const DIGITAL_SIGNATURE = bits(Buffer.from([0x80]), 7);
const CERT_AND_CRL_SIGN = bits(Buffer.from([0x06]), 1);

/** A new ECDSA P-256 key. RSA would block the process for a quarter of a second. */
export function createLeafKey(): LeafKey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: CURVE });
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: publicKey.export({ type: 'spki', format: 'der' }),
  };
}

/**
 * A certificate authority that lives as long as its worker: its key never leaves memory.
 * What it makes is strict enough for Python from 3.13 on (RFC 5280, key identifiers included).
 *
 * A library takes 3.3 ms for a certificate and these lines 0.4, on the thread that serves all scripts. See
 * docs/decisions/certificates.md.
 */
export class CertificateAuthority {
  /** To be trusted, PEM. */
  readonly certificate: string;
  private readonly name: string;
  private readonly key: KeyObject;
  private readonly keyId: Buffer;

  /** @param options of a new authority, or the identity of one that there is */
  constructor(options: AuthorityOptions | AuthorityIdentity = {}) {
    if ('privateKey' in options) {
      this.name = options.name;
      this.key = createPrivateKey(options.privateKey);
      this.keyId = keyIdentifier(createPublicKey(this.key).export({ type: 'spki', format: 'der' }));
      this.certificate = options.certificate;
      return;
    }
    const { name = `Sandbox authority ${randomBytes(4).toString('hex')}`, validDays = 3650 } = options;
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: CURVE });
    const spki = publicKey.export({ type: 'spki', format: 'der' });
    this.name = name;
    this.key = privateKey;
    this.keyId = keyIdentifier(spki);
    this.certificate = this.signed({
      subject: distinguishedName(name),
      publicKey: spki,
      notBefore: new Date(Date.now() - BACKDATED_DAYS * DAY_MS),
      notAfter: new Date(Date.now() + validDays * DAY_MS),
      extensions: [
        extension('basicConstraints', sequence(truth(), integer(Buffer.from([0]))), true),
        extension('keyUsage', CERT_AND_CRL_SIGN, true),
        extension('subjectKeyIdentifier', octets(this.keyId)),
      ],
    });
  }

  /** For a process that goes on in its name. It holds the private key. */
  identity(): AuthorityIdentity {
    const privateKey = this.key.export({ type: 'pkcs8', format: 'pem' }).toString();
    return { name: this.name, privateKey, certificate: this.certificate };
  }

  /**
   * Makes a server certificate, PEM. It takes about 0.2 ms.
   */
  issue({ hosts, publicKey, notBefore, notAfter }: LeafOptions): string {
    const common = hosts[0] !== undefined && hosts[0].length <= MAX_COMMON_NAME ? hosts[0] : null;
    return this.signed({
      subject: common === null ? sequence() : distinguishedName(common),
      publicKey,
      notBefore: notBefore ?? new Date(Date.now() - BACKDATED_DAYS * DAY_MS),
      notAfter: notAfter ?? new Date(Date.now() + LEAF_DAYS * DAY_MS),
      extensions: [
        extension('basicConstraints', sequence(), true),
        extension('keyUsage', DIGITAL_SIGNATURE, true),
        extension('extendedKeyUsage', sequence(SERVER_AUTHENTICATION)),
        // Critical where it is the only thing that says whose certificate it is.
        extension('subjectAltName', sequence(...hosts.map(generalName)), common === null),
        extension('subjectKeyIdentifier', octets(keyIdentifier(publicKey))),
        extension('authorityKeyIdentifier', sequence(tagged(0, false, this.keyId))),
      ],
    });
  }

  private signed(leaf: {
    subject: Buffer;
    publicKey: Buffer;
    notBefore: Date;
    notAfter: Date;
    extensions: Buffer[];
  }): string {
    const unsigned = sequence(
      tagged(0, true, integer(Buffer.from([2]))),
      integer(serialNumber()),
      ECDSA_WITH_SHA256,
      distinguishedName(this.name),
      sequence(time(leaf.notBefore), time(leaf.notAfter)),
      leaf.subject,
      leaf.publicKey,
      tagged(3, true, sequence(...leaf.extensions)),
    );
    const signature = sign('sha256', unsigned, this.key);
    return pem(sequence(unsigned, ECDSA_WITH_SHA256, bits(signature)));
  }
}

/** Positive and never zero. */
function serialNumber(): Buffer {
  const serial = randomBytes(16);
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x01;
  return serial;
}

function distinguishedName(common: string): Buffer {
  return sequence(set(sequence(COMMON_NAME, utf8(common))));
}

function extension(name: keyof typeof EXTENSION, value: Buffer, critical = false): Buffer {
  return sequence(identifier(EXTENSION[name]), ...(critical ? [truth()] : []), octets(value));
}

function generalName(host: string): Buffer {
  return isIP(host) === 0
    ? tagged(2, false, Buffer.from(host))
    : tagged(7, false, Buffer.from(ipaddr.parse(host).toByteArray()));
}

/** SHA-1 of the public key's bits (RFC 5280, 4.2.1.2): the last 65 bytes, an uncompressed point of the curve. */
function keyIdentifier(publicKey: Buffer): Buffer {
  return createHash('sha1').update(publicKey.subarray(-65)).digest();
}

function pem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

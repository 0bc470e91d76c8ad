import { isIP } from 'node:net';

import { Injectable } from '@nestjs/common';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';

import type { Person } from '../../core/access/index.js';
import { Settings } from '../../core/config/index.js';
import { InvalidRequest } from '../../core/errors/index.js';
import { CHALLENGE_SECONDS } from './factor-challenges.service.js';
import type { ChallengeSecret } from './challenge-secret.js';
import type { Passkey } from './passkey.entity.js';

type NewCredential = Pick<Passkey, 'credentialId' | 'publicKey' | 'signCount' | 'transports'>;
type KnownCredential = Pick<Passkey, 'credentialId' | 'publicKey' | 'signCount' | 'transports' | 'userId'>;

/** Two hundred files, read when somebody has a passkey and not at each start. */
const webAuthn = () => import('@simplewebauthn/server');

/** WebAuthn's own bound. */
const LONGEST_ID = 1023;
const LONGEST_KEY = 4096;
const TRANSPORTS = new Set(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']);
const TIMEOUT = CHALLENGE_SECONDS * 1000;

/**
 * Passkeys as WebAuthn has them, for the host of the base address. The device always makes sure of its person, by a finger,
 * a face or a PIN. So a passkey is two factors at once.
 */
@Injectable()
export class RelyingParty {
  private readonly id: string;
  private readonly origin: string;
  /** Browsers know passkeys of a name alone, and only over TLS or on this very machine. */
  readonly isPossible: boolean;
  /** What it is called in apps and dialogs. */
  readonly name: string;

  constructor({ baseUrl }: Settings) {
    const { hostname, host, origin, protocol } = new URL(baseUrl);
    this.id = hostname;
    this.origin = origin;
    this.name = `Gatehouse at ${host}`;
    const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
    this.isPossible = isIP(hostname.replace(/[[\]]/g, '')) === 0 && (protocol === 'https:' || isLocal);
  }

  async creationOptions(
    { id, email, name }: Person,
    known: readonly Passkey[],
    secret: ChallengeSecret,
  ): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const { generateRegistrationOptions } = await webAuthn();
    return generateRegistrationOptions({
      rpName: this.name,
      rpID: this.id,
      userID: new Uint8Array(Buffer.from(id)),
      userName: email,
      userDisplayName: name,
      challenge: secret.signed,
      timeout: TIMEOUT,
      attestationType: 'none',
      excludeCredentials: known.map(descriptorOf),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
  }

  /** @param known those that fit; null where it is not known yet who signs in */
  async requestOptions(
    known: readonly Passkey[] | null,
    secret: ChallengeSecret,
  ): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const { generateAuthenticationOptions } = await webAuthn();
    return generateAuthenticationOptions({
      rpID: this.id,
      challenge: secret.signed,
      timeout: TIMEOUT,
      userVerification: 'required',
      ...(known && { allowCredentials: known.map(descriptorOf) }),
    });
  }

  /** @throws InvalidRequest where it is no new passkey for this challenge and this host */
  async verifyNew(response: unknown, secret: ChallengeSecret): Promise<NewCredential> {
    const given = response as RegistrationResponseJSON;
    const { verifyRegistrationResponse } = await webAuthn();
    const info = await orRefused(async () => {
      await assertNoCertificates(given);
      const { registrationInfo } = await verifyRegistrationResponse({
        response: given,
        expectedChallenge: challengeOf(secret),
        expectedOrigin: this.origin,
        expectedRPID: this.id,
        requireUserVerification: true,
      });
      return registrationInfo;
    });
    const { id, publicKey, counter } = info.credential;
    const credentialId = Buffer.from(id, 'base64url');
    if (credentialId.length > LONGEST_ID || publicKey.length > LONGEST_KEY) throw refused();
    const told: unknown[] = Array.isArray(given.response.transports) ? given.response.transports : [];
    const transports = [...TRANSPORTS].filter((transport) => told.includes(transport));
    return { credentialId, publicKey: Buffer.from(publicKey), signCount: counter, transports };
  }

  /**
   * The device's new count.
   *
   * @throws InvalidRequest where it is not signed by that passkey, for this challenge and this host, or the count goes back
   */
  async verify(response: unknown, secret: ChallengeSecret, passkey: KnownCredential): Promise<number> {
    const given = response as AuthenticationResponseJSON;
    const { signCount, publicKey } = passkey;
    const { verifyAuthenticationResponse } = await webAuthn();
    const info = await orRefused(async () => {
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: given,
        expectedChallenge: challengeOf(secret),
        expectedOrigin: this.origin,
        expectedRPID: this.id,
        requireUserVerification: true,
        credential: { ...descriptorOf(passkey), publicKey: new Uint8Array(publicKey), counter: signCount },
      });
      const { userHandle } = given.response;
      const isTheirs =
        userHandle === undefined || Buffer.from(userHandle, 'base64url').toString() === passkey.userId;
      return verified && isTheirs ? authenticationInfo : undefined;
    });
    return info.newCounter;
  }
}

/** The device's id of the key with which a response is signed; null: it cannot be one. */
export function credentialIdIn(response: Record<string, unknown>): Buffer | null {
  const { id } = response;
  if (typeof id !== 'string' || id.length > 2 * LONGEST_ID) return null;
  const bytes = Buffer.from(id, 'base64url');
  return bytes.length > 0 && bytes.toString('base64url') === id ? bytes : null;
}

function descriptorOf({ credentialId, transports }: Pick<Passkey, 'credentialId' | 'transports'>) {
  return { id: credentialId.toString('base64url'), transports };
}

function challengeOf(secret: ChallengeSecret): string {
  return Buffer.from(secret.signed).toString('base64url');
}

/** We ask for none. A certificate of a stranger would have the library ask its issuer's server whether it is still good. */
async function assertNoCertificates({ response }: RegistrationResponseJSON): Promise<void> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  const object = decodeAttestationObject(
    new Uint8Array(Buffer.from(response.attestationObject, 'base64url')),
  );
  const format = object.get('fmt');
  const isPlain =
    format === 'none' || (format === 'packed' && object.get('attStmt').get('x5c') === undefined);
  if (!isPlain) throw new Error(`An attestation of the format ${format} was not asked for.`);
}

/** The library throws at whatever is wrong, also at what has not the shape of a response at all. */
async function orRefused<T>(verify: () => Promise<T | undefined>): Promise<T> {
  const result = await verify().catch(() => undefined);
  if (result === undefined) throw refused();
  return result;
}

function refused(): InvalidRequest {
  return InvalidRequest.at('passkey', 'was not accepted: ask for new options, and try again');
}

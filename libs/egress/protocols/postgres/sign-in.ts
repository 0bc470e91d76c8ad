import type net from 'node:net';
import { bodyOf, cstring, int32, message, sqlStateOf, TYPE } from './messages.js';
import { isPreparedPassword } from './prepared-password.js';
import { Malformed, readMessage } from './read-bytes.js';
import { type ChannelBinding, ScramClient } from './scram.js';
import type { Turns } from './turns.js';

/** The host does not sign the gate in. The message is a clause of ours: nothing that the host has said. */
export class SignInRefused extends Error {
  constructor(
    message: string,
    /** SQLSTATE. */
    readonly code = '28000',
  ) {
    super(message);
  }
}

interface SignInOptions {
  password: string;
  /** Whether the server's certificate was checked. */
  isVerified: boolean;
  bindingFor: (offered: boolean) => ChannelBinding;
  turns: Turns;
  signal: AbortSignal;
  /** The password is about to be used. */
  onUse: () => void;
}

const MAX_MESSAGE_BYTES = 16_384;
const MAX_NOTICES = 16;
const OK = 0;
const CLEARTEXT = 3;
const MD5 = 5;
const SASL = 10;
const SASL_CONTINUE = 11;
const SASL_FINAL = 12;
const PLAIN_SCRAM = 'SCRAM-SHA-256';
const BOUND_SCRAM = 'SCRAM-SHA-256-PLUS';

const WHY: Record<string, string> = {
  '28000': 'it does not let this user in from here, or not this way',
  '28P01': 'it does not accept the user or the password',
  '3D000': 'it has no such database',
  '42501': 'the user may not connect to the database',
  '53300': 'it has no connection left',
  '57P03': 'it is not ready for connections',
};

/**
 * Signs in by SCRAM-SHA-256, bound to the TLS connection where both can do so, and makes the server prove itself.
 * The other ways would hand the password, or what opens the door like it, to whoever responds.
 *
 * @throws SignInRefused, Malformed, ConnectionEnded, the socket's error, or the signal's reason
 */
export async function signIn(server: net.Socket, options: SignInOptions): Promise<void> {
  const { signal } = options;
  const first = await readAuthentication(server, signal);
  if (first.kind === OK) return;
  if (first.kind === MD5)
    throw new SignInRefused('it asks for an MD5 password, which the gate refuses; let it use scram-sha-256');
  if (first.kind === CLEARTEXT)
    throw new SignInRefused(
      'it asks for the password in the clear, which the gate refuses; let it use scram-sha-256',
    );
  if (first.kind !== SASL)
    throw new SignInRefused('it asks for a way of signing in that the gate does not know');
  const offered = first.data.toString('latin1').split('\0');
  if (!offered.includes(PLAIN_SCRAM) && !offered.includes(BOUND_SCRAM))
    throw new SignInRefused('it offers no SCRAM-SHA-256');
  if (!isPreparedPassword(options.password))
    throw new SignInRefused('the password has characters that SASLprep changes; choose another one');
  const binding = options.bindingFor(offered.includes(BOUND_SCRAM));
  const scram = new ScramClient(options.password, binding, undefined, undefined, options.isVerified);
  if (!offered.includes(scram.mechanism))
    throw new SignInRefused('it signs in only over a TLS connection whose certificate the gate can bind to');
  options.onUse();
  const opening = Buffer.from(scram.first());
  server.write(message(TYPE.password, cstring(scram.mechanism), int32(opening.length), opening));
  const challenge = await readAuthentication(server, signal);
  if (challenge.kind !== SASL_CONTINUE) throw new Malformed('it breaks off the SCRAM sign-in');
  const proof = await options.turns.take(() => scram.respond(challenge.data.toString('latin1')));
  server.write(message(TYPE.password, Buffer.from(proof)));
  const final = await readAuthentication(server, signal);
  if (final.kind !== SASL_FINAL) throw new Malformed('it has not proved that it knows the password');
  scram.verify(final.data.toString('latin1'));
  const end = await readAuthentication(server, signal);
  if (end.kind !== OK) throw new Malformed('it breaks off the SCRAM sign-in');
}

/**
 * Lets the box's own client sign in. Binding to a TLS connection is taken from the offer: there are two of them.
 * @throws as `signIn`
 */
export async function passSignIn(client: net.Socket, server: net.Socket, signal: AbortSignal): Promise<void> {
  for (let rounds = 0; rounds < MAX_NOTICES; rounds++) {
    const { kind, data } = await readAuthentication(server, signal);
    if (kind === OK) return;
    if (![CLEARTEXT, MD5, SASL, SASL_CONTINUE, SASL_FINAL].includes(kind))
      throw new SignInRefused('it asks for a way of signing in that the gate does not know');
    client.write(message(TYPE.authentication, int32(kind), kind === SASL ? withoutBinding(data) : data));
    if (kind === SASL_FINAL) continue;
    const response = await readMessage(client, MAX_MESSAGE_BYTES, signal);
    if (response[0] !== TYPE.password) throw new SignInRefused('the client has sent no password');
    server.write(response);
  }
  throw new Malformed('its sign-in does not end');
}

function withoutBinding(offer: Buffer): Buffer {
  const kept = offer
    .toString('latin1')
    .split('\0')
    .filter((name) => name !== BOUND_SCRAM);
  return Buffer.from(kept.join('\0'), 'latin1');
}

async function readAuthentication(
  server: net.Socket,
  signal: AbortSignal,
): Promise<{ kind: number; data: Buffer }> {
  for (let notices = 0; notices < MAX_NOTICES; notices++) {
    const whole = await readMessage(server, MAX_MESSAGE_BYTES, signal);
    const body = bodyOf(whole);
    if (whole[0] === TYPE.notice) continue;
    if (whole[0] === TYPE.error) {
      const code = sqlStateOf(body) ?? '';
      throw new SignInRefused(WHY[code] ?? 'it refuses the sign-in', code in WHY ? code : '28000');
    }
    if (whole[0] !== TYPE.authentication || body.length < 4)
      throw new Malformed('it does not speak PostgreSQL as it should');
    return { kind: body.readUInt32BE(0), data: body.subarray(4) };
  }
  throw new Malformed('its sign-in does not end');
}

import type net from 'node:net';
import type { Mask } from './mask.js';
import { bodyOf, cstringAt, HEADER_BYTES, IDLE, MAX_KEY_BYTES, TYPE } from './messages.js';
import { Malformed, readMessage } from './read-bytes.js';

/** A setting that a server reports. */
export interface Parameter {
  name: string;
  value: string;
}

/** A session that the server has opened. */
export interface ServerSession {
  /** What the client is told of it: parameters and notices, as they came. */
  told: Buffer[];
  /** The parameters among it. */
  parameters: Parameter[];
  /** null: it can cancel nothing. */
  key: { processId: number; key: Buffer } | null;
}

/** After the sign-in, the server refuses all the same. `whole` is for the client, masked. */
export class SessionRefused extends Error {
  constructor(readonly whole: Buffer) {
    super('it refuses the session');
  }
}

const MAX_MESSAGE_BYTES = 65_536;
const MAX_BYTES = 262_144;

/** @throws SessionRefused, Malformed, ConnectionEnded, the socket's error, or the signal's reason */
export async function readSessionStart(
  server: net.Socket,
  mask: Mask,
  signal: AbortSignal,
): Promise<ServerSession> {
  const session: ServerSession = { told: [], parameters: [], key: null };
  for (let bytes = 0; bytes < MAX_BYTES;) {
    const whole = await readMessage(server, MAX_MESSAGE_BYTES, signal);
    bytes += whole.length + HEADER_BYTES;
    const body = bodyOf(whole);
    switch (whole[0]) {
      case TYPE.ready:
        if (body.length !== 1 || body[0] !== IDLE) throw new Malformed('its session begins in a transaction');
        return session;
      case TYPE.backendKey:
        if (body.length <= 4 || body.length > 4 + MAX_KEY_BYTES)
          throw new Malformed('its cancel key cannot be read');
        session.key = { processId: body.readUInt32BE(0), key: body.subarray(4) };
        break;
      case TYPE.error:
        throw new SessionRefused(mask.message(whole));
      case TYPE.notice:
        session.told.push(mask.message(whole));
        break;
      case TYPE.parameter: {
        const parameter = parameterOf(body);
        if (parameter === null) throw new Malformed('it does not speak PostgreSQL as it should');
        session.parameters.push(parameter);
        session.told.push(whole);
        break;
      }
      default:
        throw new Malformed('it does not speak PostgreSQL as it should');
    }
  }
  throw new Malformed('it says too much before its session begins');
}

/** @param body of a ParameterStatus @returns null where it is none */
export function parameterOf(body: Buffer): Parameter | null {
  const name = cstringAt(body, 0);
  const value = name && cstringAt(body, name.length + 1);
  if (!name || !value) return null;
  return { name: name.toString('latin1'), value: value.toString('latin1') };
}

import type net from 'node:net';
import tls from 'node:tls';
import type { HostTrustContext } from '../../dialer.js';
import { TlsFailed } from '../../errors.js';
import { whyTlsFailed } from '../../failure-reasons.js';
import { untilOpen } from '../../until-open.js';
import type { ServiceConnection } from '../service-protocol.js';
import { endPointHash } from './channel-binding.js';
import type { PostgresOptions } from './postgres-options.js';
import { Malformed, readBytes } from './read-bytes.js';
import type { ChannelBinding } from './scram.js';

/** A connection to the host, on which nothing of PostgreSQL has been said but how it is encrypted. */
export interface ServerLink {
  socket: net.Socket;
  /** null: there is no TLS. */
  certificate: Buffer | null;
}

interface LinkOptions {
  sslmode: PostgresOptions['sslmode'];
  /** Whether its certificate is checked at all. */
  isVerified: boolean;
  trust: HostTrustContext;
}

const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);
const AGREED = 0x53; // S

/** @throws EgressError, Malformed, ConnectionEnded, or the signal's reason */
export async function openLink(
  connection: ServiceConnection,
  { sslmode, isVerified, trust }: LinkOptions,
  signal: AbortSignal,
): Promise<ServerLink> {
  const socket = await connection.dial();
  socket.on('error', () => socket.destroy());
  socket.setNoDelay(true);
  try {
    signal.throwIfAborted();
    if (sslmode === 'disable') return { socket, certificate: null };
    socket.write(SSL_REQUEST);
    const [response] = await readBytes(socket, 1, signal);
    if (response !== AGREED)
      throw new Malformed('it offers no TLS, which the sslmode of its secret or setting requires');
    // What came in the clear must not pass for what came encrypted.
    if (socket.readableLength > 0) throw new Malformed('it sent bytes before TLS began');
    const { host } = connection;
    const secured = tls.connect({
      socket,
      host,
      servername: host,
      secureContext: trust.context(),
      ALPNProtocols: ['postgresql'],
      rejectUnauthorized: isVerified,
      ...(sslmode !== 'verify-full' && { checkServerIdentity: () => undefined }),
    });
    secured.once('close', () => socket.destroy());
    try {
      await untilOpen(secured, 'secureConnect', signal);
    } catch (error) {
      if (signal.aborted && error === signal.reason) throw error;
      throw new TlsFailed(host, whyTlsFailed(error, trust.isOwn), false, { cause: error });
    }
    return { socket: secured, certificate: secured.getPeerCertificate().raw ?? null };
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** @param offered whether the server offers SCRAM-SHA-256-PLUS */
export function bindingOf({ certificate }: ServerLink, offered: boolean): ChannelBinding {
  const hash = certificate && endPointHash(certificate);
  if (!hash) return { kind: 'none' };
  return offered ? { kind: 'end-point', hash } : { kind: 'unoffered' };
}

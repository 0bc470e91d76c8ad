import type net from 'node:net';
import tls from 'node:tls';
import { untilOpen } from '../../until-open.js';
import type { LeafContexts } from '../../leaf-contexts.js';
import { CANCEL_REQUEST, MAX_KEY_BYTES } from './messages.js';
import { Malformed, readBytes } from './read-bytes.js';

/** What a client wants of a new connection. */
export type ClientStart =
  | { kind: 'cancel'; processId: number; key: Buffer }
  | { kind: 'session'; socket: net.Socket; version: number; body: Buffer };

const HEAD_BYTES = 8;
const MAX_BYTES = 10_000;
const MAX_ROUNDS = 3;
const SSL_REQUEST = 80_877_103;
const GSS_REQUEST = 80_877_104;
const TLS_HANDSHAKE = 0x16;
/** `postgresql` as ALPN writes it. */
const ALPN = Buffer.from('\x0apostgresql', 'latin1');

/**
 * Reads a connection up to its start-up message, with TLS where the client asks for it.
 *
 * @param contexts null: no TLS towards the box
 * @throws Malformed, ConnectionEnded, the socket's error, or the signal's reason
 */
export async function readStart(
  box: net.Socket,
  host: string,
  contexts: LeafContexts | null,
  signal: AbortSignal,
): Promise<ClientStart> {
  let socket = box;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const head = await readBytes(socket, HEAD_BYTES, signal);
    if (head[0] === TLS_HANDSHAKE && socket === box && contexts && round === 0) {
      box.unshift(head);
      socket = await secure(box, host, contexts, signal);
      continue;
    }
    const length = head.readUInt32BE(0);
    const code = head.readUInt32BE(4);
    if (length < HEAD_BYTES || length > MAX_BYTES)
      throw new Malformed('it does not speak PostgreSQL', socket === box);
    if (code === SSL_REQUEST || code === GSS_REQUEST) {
      // Whatever came with it would be read as if it had been encrypted.
      if (length !== HEAD_BYTES || box.readableLength > 0 || socket !== box)
        throw new Malformed('its request for encryption is not one');
      const agreed = code === SSL_REQUEST && contexts !== null;
      box.write(agreed ? 'S' : 'N');
      if (agreed) socket = await secure(box, host, contexts, signal);
      continue;
    }
    const body = length > HEAD_BYTES ? await readBytes(socket, length - HEAD_BYTES, signal) : Buffer.alloc(0);
    if (code === CANCEL_REQUEST) {
      if (body.length <= 4 || body.length > 4 + MAX_KEY_BYTES)
        throw new Malformed('its cancel request cannot be read');
      return { kind: 'cancel', processId: body.readUInt32BE(0), key: body.subarray(4) };
    }
    return { kind: 'session', socket, version: code, body };
  }
  throw new Malformed('it asks for encryption again and again');
}

async function secure(
  box: net.Socket,
  host: string,
  contexts: LeafContexts,
  signal: AbortSignal,
): Promise<tls.TLSSocket> {
  const secured = new tls.TLSSocket(box, {
    isServer: true,
    secureContext: contexts.contextFor(host),
    ALPNProtocols: ALPN,
  });
  secured.once('close', () => box.destroy());
  return untilOpen(secured, 'secure' as 'secureConnect', signal);
}

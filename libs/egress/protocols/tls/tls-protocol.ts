import { constants } from 'node:crypto';
import type { Socket } from 'node:net';
import tls from 'node:tls';
import type { Dialer } from '../../dialer.js';
import { join } from '../../join.js';
import type { LeafContexts } from '../../leaf-contexts.js';
import { describeDialError } from '../describe-dial-error.js';
import type { ServiceConnection, ServiceProtocol } from '../service-protocol.js';

/** The first byte of a TLS handshake. Source: RFC 8446, 5.1. */
const HANDSHAKE = 0x16;
/** Until a client has said which it speaks, when it may be waiting for the host to begin. */
const FIRST_BYTE_MS = 300;

/** TLS to the host, whose certificate is checked; the box speaks TLS as well, by the authority that it trusts, or plain text. */
export class TlsProtocol implements ServiceProtocol {
  constructor(
    private readonly name: string,
    private readonly contexts: LeafContexts,
    private readonly dialer: Dialer,
  ) {}

  serve(connection: ServiceConnection): void {
    void this.join(connection).catch((error: unknown) => {
      connection.failed(describeDialError(error));
      connection.box.destroy();
    });
  }

  private async join({ box, dial, port }: ServiceConnection): Promise<void> {
    const host = await this.dialer.secureFor(await dial(), { host: this.name, port });
    const first = await firstByteOf(box);
    join(first === HANDSHAKE ? this.secured(box) : box, host);
  }

  private secured(box: Socket): tls.TLSSocket {
    return new tls.TLSSocket(box, {
      isServer: true,
      secureContext: this.contexts.contextFor(this.name),
      secureOptions: constants.SSL_OP_NO_TICKET | constants.SSL_OP_NO_RENEGOTIATION,
    });
  }
}

/** It is still there to be read. null: there is none for a while, or ever. */
async function firstByteOf(box: Socket): Promise<number | null> {
  if (box.readableLength === 0) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, FIRST_BYTE_MS);
    box.once('readable', resolve).once('close', resolve);
    await promise;
    clearTimeout(timer);
    box.off('readable', resolve).off('close', resolve);
  }
  const bytes = box.read() as Buffer | null;
  if (bytes === null) return null;
  box.unshift(bytes);
  return bytes[0] ?? null;
}

import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';

import { CertificateAuthority, LeafContexts } from '../../../libs/egress/index.js';

/** What came to the receiver. */
export interface Received {
  host: string;
  authorization: string;
}

/** A server of HTTPS on this machine's loopback, for the proof's own requests. It repeats the credential that it is sent. */
export class Receiver {
  private constructor(
    private readonly server: Server,
    readonly received: readonly Received[],
    /** PEM, to be trusted by the gates that may reach it. */
    readonly ca: string,
  ) {}

  static async open(): Promise<Receiver> {
    const contexts = new LeafContexts(new CertificateAuthority());
    const received: Received[] = [];
    const server = createServer(
      { ...contexts.nameless, SNICallback: (name, done) => done(null, contexts.contextFor(name)) },
      (request, response) => {
        const { host = '', authorization = '' } = request.headers;
        received.push({ host, authorization });
        response.end(`received ${authorization}`);
      },
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Receiver(server, received, contexts.authority.certificate);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

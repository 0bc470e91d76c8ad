import type { RemoteInfo, Socket } from 'node:dgram';
import { dnsResponse } from './dns-response.js';
import { TokenBucket } from './token-bucket.js';

const BURST = 1000;
const PER_SECOND = 1000;

/** Responds to the queries that come to a socket. Nothing leaves the machine; what is too much is dropped. */
export class DnsStub {
  private readonly bucket = new TokenBucket(BURST, PER_SECOND);
  private readonly onMessage = (query: Buffer, from: RemoteInfo): void => this.respond(query, from);

  /** @param addresses of names that have one of their own */
  constructor(
    private readonly socket: Socket,
    private readonly addresses: ReadonlyMap<string, string> = new Map(),
  ) {
    socket.on('message', this.onMessage);
    // Such as a client that closed its port: the stub goes on.
    socket.on('error', () => undefined);
  }

  close(): void {
    this.socket.off('message', this.onMessage);
    try {
      this.socket.close();
    } catch {
      // It was closed by its other owner.
    }
  }

  private respond(query: Buffer, { port, address }: RemoteInfo): void {
    // Nobody listens on port 0, and Node throws at the attempt to send there.
    if (port === 0) return;
    const response = this.bucket.take() ? dnsResponse(query, this.addresses) : null;
    if (response) this.socket.send(response, port, address, () => undefined);
  }
}

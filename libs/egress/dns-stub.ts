import type { RemoteInfo, Socket } from 'node:dgram';
import { dnsAnswer } from './dns-answer.js';
import { TokenBucket } from './token-bucket.js';

const BURST = 1000;
const PER_SECOND = 1000;

/** Answers the queries that come to a socket. Nothing leaves the machine; what is too much is dropped. */
export class DnsStub {
  private readonly bucket = new TokenBucket(BURST, PER_SECOND);
  private readonly onMessage = (query: Buffer, from: RemoteInfo): void => this.answer(query, from);

  constructor(private readonly socket: Socket) {
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

  private answer(query: Buffer, { port, address }: RemoteInfo): void {
    // Nobody can be answered there, and Node throws at the attempt.
    if (port === 0) return;
    const answer = this.bucket.take() ? dnsAnswer(query) : null;
    if (answer) this.socket.send(answer, port, address, () => undefined);
  }
}

import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

import type { Json } from '../../libs/testing/index.js';

/** A syslog server on TCP that keeps what it gets, with the lengths before the messages as RFC 6587 has them. */
export class SyslogServer {
  /** The entries, in the order in which they came. */
  readonly entries: Json[] = [];
  /** Connections that sent something, also those that were reset. */
  received = 0;
  /** `reset`: it reads what comes and resets the connection, as one that dies does. `silent`: it takes it and never closes. */
  mode: 'take' | 'reset' | 'silent' = 'take';
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {
    server.on('connection', (socket) => this.take(socket));
  }

  static async start(): Promise<SyslogServer> {
    const server = createServer({ allowHalfOpen: true });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return new SyslogServer(server);
  }

  get url(): string {
    return `syslog+tcp://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get numbers(): number[] {
    return this.entries.map(({ number }) => number as number);
  }

  async stop(): Promise<void> {
    const closed = new Promise((done) => this.server.close(done));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  /** A connection, of whichever server. */
  take(socket: Socket): void {
    this.sockets.add(socket);
    const chunks: Buffer[] = [];
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.once('close', () => this.sockets.delete(socket));
    socket.once('end', () => {
      this.received += 1;
      if (this.mode === 'reset') return void socket.resetAndDestroy();
      this.entries.push(...framesOf(Buffer.concat(chunks)).map(entryOf));
      if (this.mode === 'take') socket.end();
    });
  }
}

function framesOf(bytes: Buffer): string[] {
  const frames: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const blank = bytes.indexOf(' ', at);
    const end = blank + 1 + Number(bytes.toString('latin1', at, blank));
    if (!(end <= bytes.length)) throw new Error(`A frame that is cut: ${bytes.toString('utf8', at)}`);
    frames.push(bytes.toString('utf8', blank + 1, end));
    at = end;
  }
  return frames;
}

function entryOf(frame: string): Json {
  const [, json] =
    /^<110>1 \S+Z \S+ gatehouse - (?:audit|run|deleted) \[meta sequenceId="\d+"\] (\{.*\})$/s.exec(frame)!;
  return JSON.parse(json!);
}

import { type IncomingMessage, type Server, createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

import { expect } from 'vitest';

import { type CollectedSpan, readExport } from './otlp.js';

/** A collector of traces: a real HTTP server that takes OTLP in protobuf, and keeps what it gets. */
export class Collector {
  readonly spans: CollectedSpan[] = [];
  /** What was sent, byte by byte, heads included. */
  readonly sent: string[] = [];
  readonly headers: Record<string, unknown>[] = [];
  /** `hang`: it takes requests and never responds. */
  mode: 'take' | 'hang' = 'take';
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {
    server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
    server.on('request', (request, response) => {
      void this.take(request).then(() => {
        if (this.mode === 'take') response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
      });
    });
  }

  static async start(): Promise<Collector> {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return new Collector(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    const closed = new Promise((done) => this.server.close(done));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  /** The spans of a trace, in the order in which they began, once those of these names are there. */
  async trace(traceId: string, ...names: string[]): Promise<CollectedSpan[]> {
    const own = (): CollectedSpan[] =>
      this.spans.filter((span) => span.traceId === traceId).sort((one, other) => one.begin - other.begin);
    await expect
      .poll(() => own().map(({ name }) => name), { message: `the trace ${traceId}` })
      .toEqual(expect.arrayContaining(names));
    return own();
  }

  /** The first span that fits, once there is one. */
  async span(fits: (span: CollectedSpan) => boolean): Promise<CollectedSpan> {
    await expect.poll(() => this.spans.some(fits), { message: 'the span' }).toBe(true);
    return this.spans.find(fits)!;
  }

  private async take(request: IncomingMessage): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    this.headers.push({ ...request.headers, url: request.url });
    this.sent.push(`${request.url} ${JSON.stringify(request.headers)} ${body.toString('latin1')}`);
    this.spans.push(...readExport(body));
  }
}

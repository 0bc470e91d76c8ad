import type { TLSSocket } from 'node:tls';

import { type ResponseLimits, ResponseReader } from './response-reader.js';
import type { Dialer } from './dialer.js';

export interface PostPoolOptions {
  /** Makes every connection. */
  dialer: Dialer;
  /** What is read of a response. */
  limits: ResponseLimits;
  /**
   * How long an idle connection is kept, in ms. Default 20 s. Servers drop them after 5 s and more, which costs nothing but
   * a new connection.
   */
  idleMs?: number;
  /** Idle connections to one server. Default 16. */
  mostIdle?: number;
  /** Idle connections to all of them. Default 500. */
  mostIdleInAll?: number;
}

/** A server by its name and port. */
export interface PostOrigin {
  host: string;
  port: number;
}

/** A request in progress. */
export interface Posting {
  /** Gives up: `done` is called with this error, unless it has been called already. */
  abort(error: Error): void;
}

/** Called once: without an error, the response is complete; with one, it may have begun. */
export type Posted = (error: Error | null, response: ResponseReader) => void;

/** The connection ended, or broke, before the response was complete. */
export class ConnectionLost extends Error {
  constructor(options?: ErrorOptions) {
    super('the connection was closed before the response was complete', options);
    this.name = new.target.name;
  }
}

const IDLE_MS = 20_000;
const MOST_IDLE = 16;
const MOST_IDLE_IN_ALL = 500;

/**
 * Sends requests over kept-alive TLS connections, one at a time on each. It only sends text and reads a response of
 * bounded size. A request takes 23 µs of the process and undici's client 30 (51 and 69 at 100 receivers), which makes 0.83
 * of the deliveries a second at one endpoint. See docs/decisions/post-pool.md.
 *
 * @example
 * const pool = new PostPool({ dialer, limits: { kept: 1024, most: 65_536 } });
 * pool.send({ host: 'example.com', port: 443 }, 'POST / HTTP/1.1\r\nHost: example.com\r\n…', (error, response) => …);
 */
export class PostPool {
  private readonly idle = new Map<string, Connection[]>();
  private readonly connections = new Set<Connection>();
  private readonly options: Required<PostPoolOptions>;
  private idleInAll = 0;
  private closed = false;

  constructor(options: PostPoolOptions) {
    this.options = { idleMs: IDLE_MS, mostIdle: MOST_IDLE, mostIdleInAll: MOST_IDLE_IN_ALL, ...options };
  }

  /**
   * @param request head and body, as they go over the wire. It is sent a second time, on a new connection, where one that was
   * kept alive turns out to be closed
   */
  send(origin: PostOrigin, request: string, done: Posted): Posting {
    const exchange = new Exchange(this, origin, request, done);
    exchange.begin();
    return exchange;
  }

  /** Ends every connection. */
  close(): void {
    this.closed = true;
    for (const connection of this.connections) connection.destroy();
  }

  /** The connection that was used last, of those that wait. */
  takeIdle(origin: PostOrigin): Connection | undefined {
    const connection = this.idle.get(keyOf(origin))?.pop();
    if (connection) this.idleInAll -= 1;
    return connection;
  }

  async dial(origin: PostOrigin, signal: AbortSignal): Promise<Connection> {
    const socket = await this.options.dialer.connectTls({ ...origin, signal });
    const connection = new Connection(this, origin, socket, this.options.idleMs);
    this.connections.add(connection);
    if (this.closed) connection.destroy();
    return connection;
  }

  newReader(): ResponseReader {
    return new ResponseReader(this.options.limits);
  }

  /** Keeps a connection for the next request, where there are not too many that wait. */
  keep(connection: Connection): void {
    const { mostIdle, mostIdleInAll } = this.options;
    const key = keyOf(connection.origin);
    const waiting = this.idle.get(key) ?? [];
    if (this.closed || waiting.length >= mostIdle || this.idleInAll >= mostIdleInAll) {
      return connection.destroy();
    }
    this.idle.set(key, waiting);
    waiting.push(connection);
    this.idleInAll += 1;
  }

  forget(connection: Connection): void {
    this.connections.delete(connection);
    const key = keyOf(connection.origin);
    const waiting = this.idle.get(key) ?? [];
    const place = waiting.indexOf(connection);
    if (place >= 0) {
      waiting.splice(place, 1);
      this.idleInAll -= 1;
    }
    if (waiting.length === 0) this.idle.delete(key);
  }
}

function keyOf({ host, port }: PostOrigin): string {
  return `${host}:${port}`;
}

/** One request, from a connection to the end of its response. */
class Exchange implements Posting {
  response: ResponseReader;
  private connection: Connection | null = null;
  private dialling: AbortController | null = null;
  private over = false;

  constructor(
    private readonly pool: PostPool,
    private readonly origin: PostOrigin,
    private readonly request: string,
    private readonly done: Posted,
  ) {
    this.response = pool.newReader();
  }

  begin(): void {
    const idle = this.pool.takeIdle(this.origin);
    if (idle) this.sendOn(idle);
    else void this.dial();
  }

  abort(error: Error): void {
    if (this.over) return;
    this.dialling?.abort(error);
    this.finish(error);
  }

  onData(chunk: Buffer): void {
    if (this.over) return;
    try {
      this.response.push(chunk);
    } catch (error) {
      return this.finish(error as Error);
    }
    if (this.response.isComplete) this.finish(null);
  }

  onEnd(error: Error | null, connection: Connection): void {
    if (this.over) return;
    const untouched = !this.response.hasHead && connection.bytesOfExchange === 0;
    if (connection.wasKept && untouched) {
      this.connection = null;
      return void this.dial();
    }
    if (error === null) this.response.end();
    this.finish(this.response.isComplete ? null : new ConnectionLost({ cause: error }));
  }

  private async dial(): Promise<void> {
    this.dialling = new AbortController();
    try {
      const connection = await this.pool.dial(this.origin, this.dialling.signal);
      if (this.over) connection.destroy();
      else this.sendOn(connection);
    } catch (error) {
      this.finish(error as Error);
    }
  }

  private sendOn(connection: Connection): void {
    this.connection = connection;
    connection.begin(this, this.request);
  }

  private finish(error: Error | null): void {
    if (this.over) return;
    this.over = true;
    this.connection?.release(error === null && this.response.isReusable);
    this.done(error, this.response);
  }
}

/** A connection and the exchange that it is used for just now. */
class Connection {
  /** Whether it had waited for its exchange, so that the other side may have closed it meanwhile. */
  wasKept = false;
  bytesOfExchange = 0;
  private exchange: Exchange | null = null;

  constructor(
    private readonly pool: PostPool,
    readonly origin: PostOrigin,
    private readonly socket: TLSSocket,
    idleMs: number,
  ) {
    // Counted from the last byte. How long a response may take is for the caller to limit.
    socket.setTimeout(idleMs, () => {
      if (!this.exchange) this.destroy();
    });
    socket.on('data', (chunk: Buffer) => {
      // No request is in progress, so these bytes belong to none.
      if (!this.exchange) return this.destroy();
      this.bytesOfExchange += chunk.length;
      this.exchange.onData(chunk);
    });
    socket.on('error', (error) => this.lost(error));
    socket.on('end', () => this.lost(null));
    socket.on('close', () => this.lost(null));
  }

  begin(exchange: Exchange, request: string): void {
    this.exchange = exchange;
    this.bytesOfExchange = 0;
    this.socket.write(request);
  }

  release(isReusable: boolean): void {
    this.exchange = null;
    this.wasKept = true;
    if (isReusable) this.pool.keep(this);
    else this.destroy();
  }

  destroy(): void {
    this.pool.forget(this);
    this.socket.destroy();
  }

  private lost(error: Error | null): void {
    const { exchange } = this;
    this.exchange = null;
    this.destroy();
    exchange?.onEnd(error, this);
  }
}

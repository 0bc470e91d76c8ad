import { setMaxListeners } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import type { Duplex } from 'node:stream';
import { Dialer, type DialerOptions } from './dialer.js';

export interface SafeAgentOptions extends DialerOptions {
  /** Shares a dialer's rules and trust; the dialer options beside it are then not used. */
  dialer?: Dialer;
  /** Connections to one host at a time. Default: no limit. */
  maxSockets?: number;
  /** Of plain connections: secrets go over them in the clear, so each is made only where the dialer lets that be. Default: no. */
  carriesSecrets?: boolean;
  /** How long an idle connection is kept, in ms, where the server does not say less. Most drop them after 5 s and more. Default 4 s. */
  idleMs?: number;
}

/** A socket with the response that came over it last. Node keeps it there for its own `keepSocketAlive`. */
type Answered = Duplex & {
  _httpMessage?: { res?: http.IncomingMessage };
  setTimeout?: (ms: number) => void;
};

type Connected = (error: Error | null, socket: Duplex) => void;

const DEFAULT_IDLE_MS = 4000;
/** Connections that were used within as many ms carry what cannot be repeated. Few servers end them so soon. */
export const UNREPEATABLE_IDLE_MS = 1000;
/** The server's end of the connection may be under way for as long. */
const HINT_MARGIN_MS = 1000;

/** When a connection began to wait for its next request, by `performance.now()`. */
const idleSince = new WeakMap<object, number>();

/**
 * A pool of kept-alive connections for one purpose, every one of them made by a `Dialer`.
 * A request's error is the dialer's, with its `code`. Destroying the agent ends what is being dialled as well.
 *
 * @example
 * const agent = createSafeAgent({ allow: ['10.20.0.0/16'] });
 * https.request('https://example.com/hook', { agent, method: 'POST' });
 */
export function createSafeAgent(options: SafeAgentOptions = {}): https.Agent {
  return new SafeTlsAgent(new Dialling(options), poolOptions(options));
}

/** The same for plain `http:` URLs. */
export function createSafePlainAgent(options: SafeAgentOptions = {}): http.Agent {
  return new SafePlainAgent(new Dialling(options), poolOptions(options));
}

/**
 * Ends connections to a server that nobody has used for so many ms: the server may be closing them, and a request that cannot be
 * repeated would be lost on one.
 */
export function dropIdle(
  agent: http.Agent,
  { host, port }: { host: string; port: number },
  idleMs: number,
): void {
  const place = `${host}:${port}:`;
  const since = performance.now() - idleMs;
  for (const [name, sockets] of Object.entries(agent.freeSockets)) {
    if (!name.startsWith(place)) continue;
    for (const socket of sockets ?? []) if ((idleSince.get(socket) ?? 0) <= since) socket.destroy();
  }
}

function poolOptions({ maxSockets = Infinity }: SafeAgentOptions): http.AgentOptions {
  return { keepAlive: true, maxSockets, maxFreeSockets: 64, scheduling: 'lifo' };
}

class Dialling {
  private readonly dialer: Dialer;
  private readonly idleMs: number;
  private readonly carriesSecrets: boolean;
  private readonly stop = new AbortController();

  constructor({ dialer, idleMs = DEFAULT_IDLE_MS, carriesSecrets = false, ...options }: SafeAgentOptions) {
    this.dialer = dialer ?? new Dialer(options);
    this.idleMs = idleMs;
    this.carriesSecrets = carriesSecrets;
    // Each dial listens to it for a while; there may be many.
    setMaxListeners(0, this.stop.signal);
  }

  dial(target: http.ClientRequestArgs, tls: boolean, connected: Connected): void {
    // Never `servername`: Node takes it from the Host header.
    const { host, port } = target;
    const { carriesSecrets } = this;
    const to = { host: host ?? '', port: Number(port), carriesSecrets, signal: this.stop.signal };
    const dialled = tls ? this.dialer.connectTls(to) : this.dialer.connect(to);
    dialled.then(
      (socket) => {
        if (this.stop.signal.aborted) socket.destroy();
        connected(this.stop.signal.aborted ? new Error('the agent was destroyed') : null, socket);
      },
      (error: Error) => connected(error, undefined as unknown as Duplex),
    );
  }

  /** Whether it may wait for another request. Node heeds what the server says only below a time-out of requests, and there is none. */
  mayIdle(socket: Answered): boolean {
    const hint = hintMs(socket._httpMessage?.res?.headers['keep-alive']);
    const ms = Math.min(this.idleMs, hint - HINT_MARGIN_MS);
    if (ms <= 0) return false;
    socket.setTimeout?.(ms);
    idleSince.set(socket, performance.now());
    return true;
  }

  end(): void {
    this.stop.abort(new Error('the agent was destroyed'));
  }
}

class SafeTlsAgent extends https.Agent {
  constructor(
    private readonly dialling: Dialling,
    options: https.AgentOptions,
  ) {
    super(options);
  }

  override createConnection(target: http.ClientRequestArgs, connected: Connected): undefined {
    this.dialling.dial(target, true, connected);
  }

  override keepSocketAlive(socket: Duplex): boolean {
    const kept = super.keepSocketAlive(socket) as unknown as boolean;
    return kept && this.dialling.mayIdle(socket);
  }

  override destroy(): void {
    this.dialling.end();
    super.destroy();
  }
}

class SafePlainAgent extends http.Agent {
  constructor(
    private readonly dialling: Dialling,
    options: http.AgentOptions,
  ) {
    super(options);
  }

  override createConnection(target: http.ClientRequestArgs, connected: Connected): undefined {
    this.dialling.dial(target, false, connected);
  }

  override keepSocketAlive(socket: Duplex): boolean {
    const kept = super.keepSocketAlive(socket) as unknown as boolean;
    return kept && this.dialling.mayIdle(socket);
  }

  override destroy(): void {
    this.dialling.end();
    super.destroy();
  }
}

/** How long a server says that it keeps an idle connection. */
function hintMs(header: string | string[] | undefined): number {
  const seconds = /(?:^|[,\s])timeout\s*=\s*"?(\d+)/i.exec(String(header ?? ''))?.[1];
  return seconds === undefined ? Infinity : Number(seconds) * 1000;
}

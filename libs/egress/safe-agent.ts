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
  /** How long an idle connection is kept, in ms. Servers drop them after 5 s and more. Default 4 s. */
  idleMs?: number;
}

type Connected = (error: Error | null, socket: Duplex) => void;

const DEFAULT_IDLE_MS = 4000;

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

  /** Applies where Node's own rules would keep an idle connection longer, or for ever. */
  limitIdle(socket: Duplex): void {
    const timed = socket as Duplex & { timeout?: number; setTimeout?: (ms: number) => void };
    if (!timed.timeout || timed.timeout > this.idleMs) timed.setTimeout?.(this.idleMs);
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
    this.dialling.limitIdle(socket);
    return kept;
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
    this.dialling.limitIdle(socket);
    return kept;
  }

  override destroy(): void {
    this.dialling.end();
    super.destroy();
  }
}

import http from 'node:http';
import net from 'node:net';
import type { Duplex } from 'node:stream';
import tls from 'node:tls';
import { PendingResponses } from './pending-responses.js';
import { discardBody, Exchange } from './exchange.js';
import type { GateContext } from './gate-context.js';
import type { OpenRequest } from './gate-requests.js';
import { whyHandshakeFailed } from './why-handshake-failed.js';
import { isHostName } from './host-name.js';
import { hostLabel } from './host-pattern.js';
import type { LeafContexts } from './leaf-contexts.js';
import { createTlsServer } from './gate-tls-server.js';
import { unreadable } from './unreadable-request.js';
import { type Refusal, refuse, refuseRaw } from './refusal.js';
import { checkRequest, checkServerName, malformed, methodRefused } from './request-checks.js';
import type { ScopedRequest } from './request-scope.js';
import type { Route } from './router.js';
import { checkUpgrade, lastResponse, relayWebsocket } from './websocket.js';
import { bodyOf, withheldRequest } from './withheld-request.js';

/** What all listeners of one gate count together. */
export interface Admission {
  /** @returns why no further connection is taken, or null */
  connectionProblem(): string | null;
  /** @returns why no further request is taken, or null */
  requestProblem(): string | null;
  /** @returns why there is no certificate for a name, or null */
  nameProblem(name: string, port: number): string | null;
  opened(socket: net.Socket): void;
  began(res: http.ServerResponse): void;
}

interface ListenerParts {
  contexts: LeafContexts;
  listener: net.Server;
  /** For which hosts are declared. */
  port: number;
  /** The one name that requests may be for, which come without TLS. Default null: they come with it, and it has the name. */
  plain?: string | null;
}

const CHECK_HEADERS_EVERY_MS = 2000;

/** Takes the connections to one port: TLS ends here, and each request is judged. */
export class GateListener {
  private readonly contexts: LeafContexts;
  private readonly listener: net.Server;
  private readonly port: number;
  private readonly plain: string | null;
  private readonly server: http.Server;
  private readonly onConnection = (socket: net.Socket): void => this.admit(socket);
  /** What each connection asked for in its handshake, which a failed one does not tell afterwards. */
  private readonly serverNames = new WeakMap<object, string>();
  private readonly secured = new WeakSet<object>();
  private readonly refused = new WeakSet<object>();
  private readonly pending = new PendingResponses();

  constructor(
    private readonly gate: GateContext,
    private readonly admission: Admission,
    { contexts, listener, port, plain = null }: ListenerParts,
  ) {
    this.contexts = contexts;
    this.listener = listener;
    this.port = port;
    this.plain = plain;
    this.server = this.createServer();
    listener.on('connection', this.onConnection);
    listener.on('error', (error: Error) => gate.log.refused(null, `the listener failed: ${error.message}`));
  }

  close(): void {
    this.listener.off('connection', this.onConnection);
    this.listener.close();
    this.server.close();
  }

  private createServer(): http.Server {
    const { limits, timeouts } = this.gate;
    const options = {
      headersTimeout: timeouts.headersMs,
      connectionsCheckingInterval: CHECK_HEADERS_EVERY_MS,
      // A body may take as long as the run.
      requestTimeout: 0,
      keepAliveTimeout: 0,
      maxHeaderSize: limits.headerBytes,
      insecureHTTPParser: false,
      requireHostHeader: false,
    };
    const server = this.plain === null ? this.secureServer(options) : http.createServer(options);
    // Otherwise Node drops what comes after the first 2,000.
    server.maxHeadersCount = 0;
    server.on('clientError', (error, socket) => this.onClientError(error, socket));
    server.on('request', (req, res) => this.onRequest(req, res, false));
    server.on('checkContinue', (req, res) => this.onRequest(req, res, true));
    server.on('checkExpectation', (req, res) => this.onRequest(req, res, true));
    server.on('connect', (req, socket, head) =>
      this.onDetached(req, socket, head, () => this.onConnect(req, socket)),
    );
    server.on('upgrade', (req, socket, head) =>
      this.onDetached(req, socket, head, (sent) => this.onUpgrade(req, socket, sent)),
    );
    // It never listens itself, but this is when Node begins to watch over slow headers.
    server.emit('listening');
    return server;
  }

  private secureServer(options: http.ServerOptions): http.Server {
    return createTlsServer(options, {
      contexts: this.contexts,
      handshakeMs: this.gate.timeouts.handshakeMs,
      onName: (connection, name) => this.serverNames.set(connection, name),
      contextFor: (name) => this.contextFor(name),
    }).on('secureConnection', (socket) => this.onSecured(socket));
  }

  private admit(socket: net.Socket): void {
    socket.on('error', () => socket.destroy());
    const problem = this.admission.connectionProblem();
    if (problem !== null) {
      this.gate.log.refused(null, problem);
      socket.destroy();
      return;
    }
    this.admission.opened(socket);
    socket.setNoDelay(true);
    this.server.emit('connection', socket);
  }

  private contextFor(name: string): tls.SecureContext {
    if (!isHostName(name)) throw new Error('its TLS server name is not a host name');
    const problem = this.admission.nameProblem(name, this.port);
    if (problem !== null) throw new Error(problem);
    return this.contexts.contextFor(name);
  }

  private onSecured(socket: tls.TLSSocket): void {
    this.secured.add(socket);
    // Logged now: most clients leave without a request, since the certificate is not for an address.
    const refusal =
      this.nameOf(socket) === null
        ? checkServerName({ serverName: null, port: this.port }, this.gate.hosts)
        : null;
    if (refusal) this.record(null, refusal);
  }

  private onRequest(req: http.IncomingMessage, res: http.ServerResponse, expectsContinue: boolean): void {
    res.on('error', () => undefined);
    this.pending.begin(req.socket, res);
    // After a request that cannot be trusted nothing more is read; the connection ends with the response to that request.
    if (this.refused.has(req.socket)) return;
    const serverName = this.nameOf(req.socket);
    const refusal = this.judge(req, serverName);
    this.tellOf(req, res, serverName, refusal !== null);
    if (refusal) {
      if (serverName !== null) this.record(serverName, refusal);
      const unsure = refusal.code === 'malformed_request';
      if (unsure) this.refused.add(req.socket);
      refuse(res, refusal, expectsContinue || unsure);
      if (!req.complete) discardBody(req, this.gate.limits.discardedBytes);
      return;
    }
    this.admission.began(res);
    const route = this.routeOf(req, serverName);
    const isHeld = this.gate.held.includes(serverName ?? '', this.port, scopedRequest(req));
    new Exchange(this.gate, route, req, res, { expectsContinue, isHeld }).start();
  }

  /** Node no longer looks after the connection, even if responses to earlier requests are still in progress: those come first. */
  private onDetached(
    req: http.IncomingMessage,
    socket: Duplex,
    head: Buffer,
    next: (head: Buffer) => void,
  ): void {
    socket.on('error', () => socket.destroy());
    if (!this.refused.has(req.socket)) this.pending.whenDone(socket, head, next);
  }

  private onUpgrade(req: http.IncomingMessage, socket: Duplex, head: Buffer): void {
    const serverName = this.nameOf(req.socket);
    const refusal =
      this.judge(req, serverName) ??
      checkUpgrade(req) ??
      this.withheld(req, serverName) ??
      this.gate.held.websocketProblem(serverName ?? '', this.port, scopedRequest(req));
    if (refusal) {
      if (serverName !== null) this.record(serverName, refusal);
      const res = lastResponse(req, socket);
      this.tellOf(req, res, serverName, true);
      refuse(res, refusal, true);
      return;
    }
    const told = this.beginTelling(req, serverName, false);
    socket.once('close', () => told?.end());
    relayWebsocket(this.gate, this.routeOf(req, serverName), req, socket, head, (status) => {
      if (told) told.status = status;
    });
  }

  /** Of a run that only reads: nobody can tell what would go over a websocket. */
  private withheld(req: http.IncomingMessage, serverName: string | null): Refusal | null {
    const label = hostLabel(serverName ?? '', this.port);
    const request = withheldRequest(label, 'websocket', req, bodyOf(Buffer.alloc(0)));
    return this.gate.withheld?.add(request) ?? null;
  }

  private onConnect(req: http.IncomingMessage, socket: Duplex): void {
    const serverName = this.nameOf(req.socket);
    const refusal = this.judge(req, serverName) ?? methodRefused('CONNECT');
    if (serverName !== null) this.record(serverName, refusal);
    refuseRaw(socket, refusal);
  }

  private tellOf(
    req: http.IncomingMessage,
    res: http.ServerResponse,
    serverName: string | null,
    refused: boolean,
  ): void {
    const told = this.beginTelling(req, serverName, refused);
    if (!told) return;
    res.once('close', () => {
      if (res.headersSent) told.status = res.statusCode;
      told.end();
    });
  }

  private beginTelling(
    req: http.IncomingMessage,
    serverName: string | null,
    refused: boolean,
  ): OpenRequest | null {
    return this.gate.requests?.begin({ name: serverName ?? '', port: this.port }, req, refused) ?? null;
  }

  private routeOf(req: http.IncomingMessage, serverName: string | null): Route {
    return this.gate.router.route(serverName ?? '', this.port, scopedRequest(req));
  }

  private judge(req: http.IncomingMessage, serverName: string | null): Refusal | null {
    const head = {
      serverName,
      port: this.port,
      httpVersion: req.httpVersion,
      ...scopedRequest(req),
    };
    const name = serverName ?? '';
    const { hosts, rules, router } = this.gate;
    const refusal =
      checkRequest(head, hosts) ?? rules.check(name, this.port, head) ?? router.check(name, this.port, head);
    if (refusal) return refusal;
    const problem = this.admission.requestProblem();
    return problem === null ? null : { ...malformed(problem), status: 503, code: 'too_many_requests' };
  }

  /** Failed handshakes and requests that cannot be read. */
  private onClientError(error: Error, socket: Duplex): void {
    const serverName = this.plain ?? this.serverNames.get(socket) ?? null;
    if (this.plain === null && !this.secured.has(socket)) {
      const reason = whyHandshakeFailed(error);
      if (reason !== null) this.record(serverName, malformed(reason));
      socket.destroy();
      return;
    }
    // Bytes after the ones that could not be read are no further request.
    if (this.refused.has(socket)) return;
    this.refused.add(socket);
    // The client connected in advance, and never used the connection.
    if (socket instanceof net.Socket && socket.bytesRead === 0) return void socket.destroy();
    const refusal = unreadable(error as NodeJS.ErrnoException);
    if (refusal === null || this.pending.has(socket) || !socket.writable) {
      if (refusal !== null) this.record(serverName, refusal);
      socket.destroy();
      return;
    }
    this.record(serverName, refusal);
    refuseRaw(socket, refusal);
  }

  /** What a connection named as its server in the handshake. */
  private nameOf(socket: Duplex): string | null {
    if (this.plain !== null) return this.plain;
    const name =
      socket instanceof tls.TLSSocket ? (socket as { servername?: string | false | null }).servername : null;
    return name ? name.toLowerCase() : null;
  }

  private record(serverName: string | null, refusal: Refusal): void {
    const label = serverName === null ? null : hostLabel(serverName, this.port);
    if (label !== null) this.gate.usage.of(label).denied += 1;
    this.gate.log.refused(label, refusal.reason);
  }
}

function scopedRequest({ method = '', url: target = '', rawHeaders }: http.IncomingMessage): ScopedRequest {
  return { method, target, rawHeaders };
}

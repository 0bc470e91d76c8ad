import { createHash } from 'node:crypto';
import type net from 'node:net';
import type { Dialer } from '../dialer.js';
import type { GateContext } from '../gate-context.js';
import type { Admission } from '../gate-listener.js';
import type { GateService } from '../gate-options.js';
import { hostLabel, parseHost } from '../host-pattern.js';
import { bodyOf } from '../withheld-request.js';
import type { Refusal } from '../refusal.js';
import { heldBody } from '../describe-held.js';
import type { HeldStatement, ServiceProtocol } from './service-protocol.js';

interface ServiceListenerParts {
  service: GateService;
  protocol: ServiceProtocol;
  dialer: Dialer;
  listener: net.Server;
}

const COUNT_EVERY_MS = 1000;

/** Takes the connections to one host that speaks another protocol than HTTP: each is admitted, counted and given to the protocol. */
export class ServiceListener {
  private readonly host: string;
  private readonly port: number;
  private readonly label: string;
  private readonly onConnection = (socket: net.Socket): void => this.admit(socket);

  constructor(
    private readonly gate: GateContext,
    private readonly admission: Admission,
    private readonly parts: ServiceListenerParts,
  ) {
    const { name, port } = parseHost(parts.service.host);
    this.host = name;
    this.port = port;
    this.label = hostLabel(name, port);
    parts.listener.on('connection', this.onConnection);
    parts.listener.on('error', (error) => gate.log.refused(null, `the listener failed: ${error.message}`));
  }

  close(): void {
    this.parts.listener.off('connection', this.onConnection);
    this.parts.listener.close();
  }

  private admit(box: net.Socket): void {
    box.on('error', () => box.destroy());
    const problem = this.admission.connectionProblem();
    if (problem !== null) {
      this.refused(problem);
      box.destroy();
      return;
    }
    this.admission.opened(box);
    box.setNoDelay(true);
    const { idleMs } = this.gate.timeouts;
    box.setTimeout(idleMs, () => {
      this.failed(`nothing was said for ${Math.round(idleMs / 1000)} s`);
      box.destroy();
    });
    const { host, port } = this;
    this.parts.protocol.serve({
      box,
      host,
      port,
      dial: () => this.dial(box),
      secretUsed: () => {
        if (this.parts.service.secret !== null) this.gate.secretUsed(this.parts.service.secret);
      },
      withheld: (method, target, body) => this.withheld(method, target, body),
      held: (statement, gone) => this.held(box, statement, gone),
      refused: (reason) => this.refused(reason),
      failed: (reason) => this.failed(reason),
    });
  }

  private async dial(box: net.Socket): Promise<net.Socket> {
    const gone = new AbortController();
    const onClose = (): void => gone.abort(new Error('the script has closed the connection'));
    box.once('close', onClose);
    if (box.destroyed) onClose();
    const { host, port } = this;
    const socket = await this.parts.dialer.connect({ host, port, signal: gone.signal });
    socket.on('error', () => socket.destroy());
    box.once('close', () => socket.destroy());
    this.count(socket);
    return socket;
  }

  /** Once a second and in the end, not with each byte. */
  private count(socket: net.Socket): void {
    const began = performance.now();
    const counted = { bytesIn: 0, bytesOut: 0, seconds: 0 };
    const add = (): void => {
      const usage = this.gate.usage.of(this.label);
      const { bytesRead, bytesWritten } = socket;
      const seconds = Math.round((performance.now() - began) / 1000);
      usage.bytesIn += bytesRead - counted.bytesIn;
      usage.bytesOut += bytesWritten - counted.bytesOut;
      usage.seconds = (usage.seconds ?? 0) + seconds - counted.seconds;
      Object.assign(counted, { bytesIn: bytesRead, bytesOut: bytesWritten, seconds });
    };
    const usage = this.gate.usage.of(this.label);
    usage.connections = (usage.connections ?? 0) + 1;
    usage.seconds ??= 0;
    const timer = setInterval(add, COUNT_EVERY_MS).unref();
    socket.once('close', () => {
      clearInterval(timer);
      add();
    });
  }

  private withheld(method: string, target: string, body: Buffer): void {
    const { protocol } = this.parts.service;
    const what = { protocol, host: this.label, method, target, headers: [], body: bodyOf(body) };
    this.gate.withheld?.add(what);
  }

  /** However long it takes, the connection is not idle. */
  private async held(box: net.Socket, statement: HeldStatement, gone: AbortSignal): Promise<Refusal | null> {
    const { method, target, shown, sha256 } = statement;
    const where = createHash('sha256')
      .update(JSON.stringify([this.label, target, sha256]))
      .digest('hex');
    const body = heldBody(shown);
    const request = { protocol: 'postgres', host: this.label, method, target, headers: [], body } as const;
    box.setTimeout(0);
    try {
      return await this.gate.held.ask({ ...request, headers: [], sha256: where }, gone);
    } finally {
      box.setTimeout(this.gate.timeouts.idleMs);
    }
  }

  private refused(reason: string): void {
    this.gate.usage.of(this.label).denied += 1;
    this.gate.log.refused(this.label, reason, 'connection');
  }

  private failed(reason: string): void {
    this.gate.log.failed(this.label, reason, 'connection');
  }
}

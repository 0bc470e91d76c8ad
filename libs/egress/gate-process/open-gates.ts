import dgram, { type BindOptions } from 'node:dgram';
import net from 'node:net';
import { CertificateAuthority } from '../certificate-authority.js';
import { Dialer } from '../dialer.js';
import { Gate } from '../gate.js';
import type { GateRequest } from '../gate-requests.js';
import { HostSet } from '../host-set.js';
import { LeafContexts } from '../leaf-contexts.js';
import type { SocketHandle } from './gate-child.js';
import type { WithheldRequest } from '../withheld-request.js';
import type { GatePlan } from './gate-plan.js';
import { PendingVerdicts } from './pending-verdicts.js';
import type { Order, Place, Report } from './protocol.js';
import { UsedSecrets } from './used-secrets.js';

interface OpenGate {
  gate: Gate;
  used: UsedSecrets;
  verdicts: PendingVerdicts;
}

/** Making one reads all authorities, so gates with the same rules share one. */
const MOST_DIALERS = 16;

/** The gates of this process: opened, given sockets and closed as the worker orders. */
export class OpenGates {
  private readonly gates = new Map<number, OpenGate>();
  private readonly dialers = new Map<string, Dialer>();
  private contexts: LeafContexts | null = null;
  private trusted: readonly string[] = [];

  constructor(private readonly tell: (report: Report) => void) {}

  /** @param handle comes with `serve` and `dns` */
  obey(order: Order, handle?: SocketHandle): void {
    switch (order.type) {
      case 'start':
        this.contexts = new LeafContexts(new CertificateAuthority(order.authority));
        this.trusted = order.trusted;
        return this.tell({ type: 'ready' });
      case 'open':
        return this.open(order.id, order.plan);
      case 'serve':
        return this.serve(order.id, order.place, handle);
      case 'dns':
        return this.serveDns(order.id, handle);
      case 'verdict':
        return this.gates.get(order.id)?.verdicts.decided(order.number, order.refusal);
      case 'close':
        return this.close(order.id);
      case 'ping':
        return this.tell({ type: 'pong' });
    }
  }

  private open(id: number, plan: GatePlan): void {
    if (!this.contexts) throw new Error('no gate can be opened before the start');
    const used = new UsedSecrets((names) => this.tell({ type: 'used', id, names }));
    const verdicts = new PendingVerdicts(id, (report) => this.tell(report));
    const gate = new Gate({
      ca: this.contexts,
      hosts: new HostSet(plan.hosts),
      rules: plan.rules,
      secrets: plan.secrets.map((secret) => ({ ...secret, hosts: new HostSet(secret.hosts) })),
      services: plan.services,
      origins: new Map(plan.origins),
      dialer: this.dialerFor(plan),
      limits: plan.limits,
      timeouts: plan.timeouts,
      log: (line) => this.tell({ type: 'log', id, line }),
      onUsage: (usage) => this.tell({ type: 'usage', id, usage }),
      ...(plan.tellsRequests && {
        onRequest: (request: GateRequest) => this.tell({ type: 'request', id, request }),
      }),
      onSecretUsed: (name) => used.note(name),
      ...(plan.readsOnly && {
        readsOnly: true,
        onWithheld: (request: WithheldRequest) => this.tell({ type: 'withheld', id, request }),
      }),
      ...(plan.asks && { onHeld: (request, gone) => verdicts.ask(request, gone) }),
    });
    this.gates.set(id, { gate, used, verdicts });
  }

  private serve(id: number, place: Place, handle: SocketHandle | undefined): void {
    const open = this.gates.get(id);
    if (!open || !handle) return handle?.close();
    const server = net.createServer();
    open.gate.serve(server, place);
    server.listen(handle);
  }

  private serveDns(id: number, handle: SocketHandle | undefined): void {
    const open = this.gates.get(id);
    if (!open || !handle) return handle?.close();
    const socket = dgram.createSocket('udp4');
    open.gate.serveDns(socket);
    // As Node does it with a socket that comes over its channel.
    socket.bind(handle as unknown as BindOptions);
  }

  private close(id: number): void {
    const open = this.gates.get(id);
    this.gates.delete(id);
    open?.used.close();
    open?.gate.close();
    this.tell({ type: 'closed', id, usage: open?.gate.usage() ?? [] });
  }

  private dialerFor({ allow, plainSecrets, ca, hostAuthorities }: GatePlan): Dialer {
    const key = JSON.stringify([allow, plainSecrets, ca, hostAuthorities]);
    const dialer =
      this.dialers.get(key) ??
      new Dialer({ allow, plainSecrets, hostAuthorities, ca: [...this.trusted, ...ca] });
    this.dialers.delete(key);
    this.dialers.set(key, dialer);
    const [oldest] = this.dialers.keys();
    if (this.dialers.size > MOST_DIALERS && oldest !== undefined) this.dialers.delete(oldest);
    return dialer;
  }
}

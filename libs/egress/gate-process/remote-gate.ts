import { type GateRequest, MOST_REQUESTS_TOLD } from '../gate-requests.js';
import type { HeldRequest } from '../held-request.js';
import type { DecideHeld } from '../held-requests.js';
import { parseHost } from '../host-pattern.js';
import { refusedPortLine, refusedPortUsage } from '../refused-port.js';
import { TokenBucket } from '../token-bucket.js';
import { COUNTS, COUNTS_OF_SERVICES, type HostUsage } from '../usage-counters.js';
import type { WithheldRequest } from '../withheld-request.js';
import type { GateChild, SocketHandle } from './gate-child.js';
import { type GatePlan, secretNames } from './gate-plan.js';
import { HeldByGate } from './held-by-gate.js';
import type { Place, Report } from './protocol.js';

/** What a gate tells while it is open. */
export interface RemoteGateEvents {
  /** A line for each request that was refused or failed, until there are too many. No secret is in it. */
  log: (line: string) => void;
  /** A request with the secret of this name has left. */
  secretUsed?: (name: string) => void;
  /** A request and its response are over; up to 256 of them. Without it, requests are only counted. */
  request?: (request: GateRequest) => void;
  /** Decides about a request that is held. Without it those are refused. */
  held?: DecideHeld;
  /** What was not sent, since the run only reads. Also told of while the gate is being closed. */
  withheld?: (request: WithheldRequest) => void;
}

type GateReport = Exclude<Report, { type: 'ready' | 'pong' }>;

/** The gate limits its lines itself; this applies should it not. */
const LINE_BURST = 200;
const LINES_PER_SECOND = 20;
/** A gate that was open each time the process ended may be what ends it, so it is not opened again. */
const MOST_LOSSES = 3;
const CLOSE_PATIENCE_MS = 5_000;

/** One gate in the gate's process, as the worker sees it. It survives the process: the next one takes it over. */
export class RemoteGate {
  private readonly sockets: { handle: SocketHandle; place: Place | null }[] = [];
  private readonly held: HeldByGate;
  private readonly lines = new TokenBucket(LINE_BURST, LINES_PER_SECOND);
  private child: GateChild | null = null;
  /** Counted in processes that are gone, and in this one. */
  private before: HostUsage[] = [];
  private current: HostUsage[] = [];
  private losses = 0;
  private requestsLeft = MOST_REQUESTS_TOLD;
  private readonly openedAt = Date.now();
  private closed = false;
  private confirmClosed: () => void = () => undefined;

  constructor(
    private readonly id: number,
    private readonly plan: GatePlan,
    private readonly events: RemoteGateEvents,
    private readonly onClosed: () => void,
  ) {
    this.held = new HeldByGate(plan, events.held);
  }

  /** Takes the connections of a listening socket, which stays the caller's to close; in the end this closes it as well. */
  serve(handle: SocketHandle, place: Place): void {
    this.add(handle, place);
  }

  /** Responds to the DNS queries that come to a bound UDP socket; likewise. */
  serveDns(handle: SocketHandle): void {
    this.add(handle, null);
  }

  /** The box tried a port on which nothing listens, so the gate's process cannot know of it. */
  refusedPort(port: number, attempts: number): void {
    this.events.log(refusedPortLine(port));
    this.before = sum(this.before, [refusedPortUsage(port, attempts)]);
  }

  /** What went through so far, up to a second ago. */
  usage(): HostUsage[] {
    return sum(this.before, this.current);
  }

  /** Ends every connection. Resolves with what went through, once no more lines come. */
  async close(): Promise<HostUsage[]> {
    if (this.closed) return this.usage();
    this.closed = true;
    this.held.dropAll();
    this.forgetSockets();
    const { child } = this;
    if (child) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.confirmClosed = resolve;
        timer = setTimeout(resolve, CLOSE_PATIENCE_MS);
        child.send({ type: 'close', id: this.id });
      });
      clearTimeout(timer);
    }
    this.child = null;
    this.onClosed();
    return this.usage();
  }

  /** For the supervisor: a process that is ready takes the gate over. */
  enter(child: GateChild): void {
    if (this.closed || this.losses >= MOST_LOSSES) return;
    this.child = child;
    child.send({ type: 'open', id: this.id, plan: this.plan });
    for (const { handle, place } of this.sockets) this.hand(child, handle, place);
  }

  /** For the supervisor: the process that had the gate is gone. */
  lose(how: string): void {
    if (!this.child) return;
    this.child = null;
    this.held.dropAll();
    this.before = this.usage();
    this.current = [];
    this.confirmClosed();
    if (this.closed) return;
    this.losses += 1;
    const lost = `gate: its process ended (${how}); requests that were under way have failed`;
    if (this.losses < MOST_LOSSES) return this.events.log(`${lost}, and it is started again`);
    this.events.log(
      `${lost}. This happened ${MOST_LOSSES} times during this run, so nothing passes any more`,
    );
    // Otherwise connections would wait for somebody to take them.
    this.forgetSockets();
  }

  /** For the supervisor. */
  receive(report: GateReport): void {
    if (report.type === 'log') {
      if (this.lines.take()) this.events.log(report.line);
    } else if (report.type === 'used') {
      const ours = new Set(secretNames(this.plan));
      for (const name of report.names) if (ours.has(name)) this.events.secretUsed?.(name);
    } else if (report.type === 'request') {
      this.tellOf(report.request);
    } else if (report.type === 'held') {
      this.hold(report.request);
    } else if (report.type === 'withheld') {
      this.withhold(report.request);
    } else if (report.type === 'gone') {
      this.held.drop(report.number);
    } else {
      this.current = report.usage;
      if (report.type === 'closed') this.confirmClosed();
    }
  }

  /** The process may say anything: only hosts that are declared are repeated, and no time before or after the gate's. */
  private tellOf({ host, at, durationMs, ...request }: GateRequest): void {
    if (this.requestsLeft === 0) return;
    this.requestsLeft -= 1;
    const { hosts, services } = this.plan;
    const declared = [...hosts, ...services.map((service) => service.host)].some(
      (text) => parseHost(text).text === host,
    );
    const now = Date.now();
    const begun = Math.min(Math.max(at, this.openedAt), now);
    this.events.request?.({
      ...request,
      host: declared ? host : null,
      at: begun,
      durationMs: Math.min(durationMs, now - begun),
    });
  }

  private withhold(request: WithheldRequest): void {
    if (!this.held.isDeclared(request.host)) return;
    const at = Math.min(Math.max(request.at, this.openedAt), Date.now());
    this.events.withheld?.({ ...request, at });
  }

  private hold(request: HeldRequest): void {
    const { id, child, closed } = this;
    if (closed) return;
    this.held.add(request, (number, refusal) => child?.send({ type: 'verdict', id, number, refusal }));
  }

  private add(handle: SocketHandle, place: Place | null): void {
    if (this.closed) throw new Error('the gate has been closed');
    this.sockets.push({ handle, place });
    if (this.child) this.hand(this.child, handle, place);
  }

  private hand(child: GateChild, handle: SocketHandle, place: Place | null): void {
    const { id } = this;
    child.send(place === null ? { type: 'dns', id } : { type: 'serve', id, place }, handle);
  }

  private forgetSockets(): void {
    for (const { handle } of this.sockets.splice(0)) handle.close();
  }
}

function sum(some: readonly HostUsage[], others: readonly HostUsage[]): HostUsage[] {
  const byHost = new Map(some.map((usage) => [usage.host, { ...usage }]));
  for (const usage of others) {
    const known = byHost.get(usage.host);
    if (!known) byHost.set(usage.host, { ...usage });
    else {
      for (const key of COUNTS) known[key] += usage[key];
      for (const key of COUNTS_OF_SERVICES)
        if (usage[key] !== undefined) known[key] = (known[key] ?? 0) + usage[key];
    }
  }
  return [...byHost.values()];
}

import type dgram from 'node:dgram';
import type http from 'node:http';
import type net from 'node:net';
import { ByteBudget } from './byte-budget.js';
import { DnsStub } from './dns-stub.js';
import { type Admission, GateListener } from './gate-listener.js';
import type { GateContext } from './gate-context.js';
import { GateLog } from './gate-log.js';
import { GateRequests } from './gate-requests.js';
import { DEFAULT_LIMITS, DEFAULT_TIMEOUTS, type GateOptions, type GateService } from './gate-options.js';
import type { Place } from './gate-process/protocol.js';
import { HeldRequests } from './held-requests.js';
import { parseHost } from './host-pattern.js';
import { HostSet } from './host-set.js';
import { openService } from './protocols/open-service.js';
import { RequestRules } from './request-rules.js';
import { Router, type UpstreamConnection } from './router.js';
import { createSafeAgent, createSafePlainAgent } from './safe-agent.js';
import { SecretPatterns } from './secret-patterns.js';
import { valuesOfSecret } from './secret-values.js';
import { TokenBucket } from './token-bucket.js';
import { type HostUsage, UsageCounters } from './usage-counters.js';
import { WithheldRequests } from './withheld-requests.js';

const CONNECTION_BURST_SECONDS = 4;

/**
 * One sandbox's egress. TLS from the script ends at the gate; requests to declared hosts get their secrets and go on to
 * the real host; every response is searched for all of the secrets. Everything else gets a readable refusal.
 */
export class Gate {
  private readonly context: GateContext;
  private readonly admission: GateAdmission;
  private readonly listeners: { close(): void }[] = [];
  private readonly stubs: DnsStub[] = [];
  private readonly agents = new Map<UpstreamConnection, http.Agent>();
  private closed = false;

  /** @throws UnusableSecret when a secret cannot stand in its header */
  constructor(private readonly options: GateOptions) {
    const { secrets = [], dialer, origins } = options;
    const rules = new RequestRules(options.rules ?? []);
    const limits = { ...DEFAULT_LIMITS, ...options.limits };
    const isSearched = secrets.some(({ harmlessBelow }) => harmlessBelow === undefined);
    this.context = {
      hosts: options.hosts,
      rules,
      held: new HeldRequests(rules, options.readsOnly === true, options.onHeld),
      withheld: options.readsOnly
        ? new WithheldRequests(rules, (request) => options.onWithheld?.(request))
        : null,
      router: new Router(secrets, origins),
      patterns: new SecretPatterns(isSearched ? secrets.flatMap(valuesOfSecret) : []),
      log: new GateLog(options.log),
      usage: new UsageCounters(options.onUsage),
      requests: options.onRequest ? new GateRequests(declaredBy(options), options.onRequest) : null,
      hashed: new ByteBudget(limits.hashedBytes),
      limits,
      timeouts: { ...DEFAULT_TIMEOUTS, ...options.timeouts },
      secretUsed: (name) => options.onSecretUsed?.(name),
      agentFor: (connection) => {
        const make = connection === 'https' ? createSafeAgent : createSafePlainAgent;
        const agent =
          this.agents.get(connection) ?? make({ dialer, carriesSecrets: connection === 'guarded' });
        this.agents.set(connection, agent);
        return agent;
      },
    };
    this.admission = new GateAdmission(this.context);
  }

  /**
   * Takes the connections of a listening server, and closes it in the end.
   *
   * @param place in the box, for which hosts are declared; default: where the server listens
   */
  serve(listener: net.Server, place = placeOf(listener)): void {
    if (this.closed) throw new Error('the gate has been closed');
    const { services = [], ca } = this.options;
    const { context, admission } = this;
    const service = services.find((one) => isAt(one, place));
    this.listeners.push(
      service
        ? openService(service, context, admission, { ...this.options, listener })
        : new GateListener(context, admission, { contexts: ca, listener, port: place.port }),
    );
  }

  /** Responds to DNS queries that come to a bound UDP socket, and closes it in the end. */
  serveDns(socket: dgram.Socket): void {
    if (this.closed) throw new Error('the gate has been closed');
    const { services = [] } = this.options;
    const addresses = new Map(services.map(({ host, address }) => [parseHost(host).name, address]));
    this.stubs.push(new DnsStub(socket, addresses));
  }

  /** What went through so far. */
  usage(): HostUsage[] {
    return this.context.usage.snapshot();
  }

  /** Ends every connection at once, closes what was handed over, and reports the last counts. */
  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.context.requests?.close();
    for (const listener of this.listeners) listener.close();
    for (const stub of this.stubs) stub.close();
    this.admission.closeAll();
    for (const agent of this.agents.values()) agent.destroy();
    this.context.log.close();
    this.context.usage.close();
  }
}

/** Keeps one script from taking more of the process than its share. */
class GateAdmission implements Admission {
  private readonly sockets = new Set<net.Socket>();
  private readonly undeclared = new Set<string>();
  private readonly bucket: TokenBucket;
  private requests = 0;

  constructor(private readonly gate: GateContext) {
    const { connectionsPerSecond } = gate.limits;
    this.bucket = new TokenBucket(connectionsPerSecond * CONNECTION_BURST_SECONDS, connectionsPerSecond);
  }

  connectionProblem(): string | null {
    const { connections, connectionsPerSecond } = this.gate.limits;
    if (this.sockets.size >= connections) return `more than ${connections} connections at a time`;
    return this.bucket.take() ? null : `more than ${connectionsPerSecond} new connections a second`;
  }

  requestProblem(): string | null {
    const { requests } = this.gate.limits;
    return this.requests < requests ? null : `more than ${requests} requests at a time`;
  }

  nameProblem(name: string, port: number): string | null {
    const { hosts, limits } = this.gate;
    if (hosts.matches(name, port) || this.undeclared.has(name)) return null;
    if (this.undeclared.size >= limits.undeclaredNames)
      return 'too many different hosts that are not declared';
    this.undeclared.add(name);
    return null;
  }

  opened(socket: net.Socket): void {
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
  }

  began(res: http.ServerResponse): void {
    this.requests += 1;
    res.once('close', () => {
      this.requests -= 1;
    });
  }

  closeAll(): void {
    for (const socket of this.sockets) socket.destroy();
  }
}

/** Whatever requests may be for. */
function declaredBy({ hosts, services = [] }: GateOptions): HostSet {
  return new HostSet([...hosts.patterns, ...services.map(({ host }) => host)]);
}

function isAt({ host, address }: GateService, place: Place): boolean {
  return address === place.address && parseHost(host).port === place.port;
}

function placeOf(listener: net.Server): Place {
  const address = listener.address();
  if (address === null || typeof address === 'string')
    throw new TypeError('the server does not listen on a port: name one');
  return address;
}

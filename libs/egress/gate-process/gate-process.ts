import { CertificateAuthority } from '../certificate-authority.js';
import { RequestRules } from '../request-rules.js';
import { Router } from '../router.js';
import { extraAuthorities } from '../trust.js';
import { GateChild } from './gate-child.js';
import { planOf, type RemoteGateOptions } from './gate-plan.js';
import { pickGateUser } from './pick-gate-user.js';
import type { Report } from './protocol.js';
import { RemoteGate, type RemoteGateEvents } from './remote-gate.js';

interface GateProcessOptions {
  /** Something that the operator should know: the process ended, or is there again. */
  warn?: (text: string) => void;
  /** How often it is asked whether it still responds. Default 5 s; after six times that, half a minute of silence, it is killed. */
  pingEveryMs?: number;
}

const READY_PATIENCE_MS = 60_000;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 5_000;
/** One that lived for so long is started again at once. */
const STEADY_MS = 60_000;
const PING_EVERY_MS = 5_000;
/** It hangs, then: nothing that a gate does takes so long. */
const MOST_MISSED_PONGS = 6;

/**
 * The gates of a worker, in a process of their own that has no rights: what hostile code sends is read there and nowhere
 * else. When it dies another one takes over the gates that are open.
 *
 * @example
 * const gates = await GateProcess.start();
 * const gate = gates.open({ hosts: ['api.example.com'] }, { log: console.error });
 * gate.serve(handle, 443);
 * const usage = await gate.close();
 */
export class GateProcess {
  /** In memory only. It belongs to the worker, so that boxes trust the next process as they trusted the last one. */
  private readonly authority = new CertificateAuthority();
  private readonly user = pickGateUser();
  private readonly gates = new Map<number, RemoteGate>();
  private readonly warn: (text: string) => void;
  private child: GateChild | null = null;
  private isReady = false;
  private readySince = 0;
  private pauseMs = FIRST_PAUSE_MS;
  private missedPongs = 0;
  private count = 0;
  private restart: NodeJS.Timeout | undefined;
  private readonly pinging: NodeJS.Timeout;
  private closed = false;

  private constructor({ warn = () => undefined, pingEveryMs = PING_EVERY_MS }: GateProcessOptions) {
    this.warn = warn;
    this.pinging = setInterval(() => this.ping(), pingEveryMs).unref();
  }

  /** @throws Error saying why the process cannot be started */
  static async start(options: GateProcessOptions = {}): Promise<GateProcess> {
    const gates = new GateProcess(options);
    const problem = await gates.launch();
    if (problem === null) return gates;
    await gates.close();
    throw new Error(`the gate could not be started: ${problem}`);
  }

  /** Of the authority that boxes must trust, PEM. */
  get certificate(): string {
    return this.authority.certificate;
  }

  /** Whether there is a process that takes connections now; one that has just ended is started again. */
  get isRunning(): boolean {
    return this.isReady;
  }

  /**
   * A new gate; nothing comes to it before it gets sockets.
   *
   * @throws UnusableSecret, InvalidHost
   */
  open(options: RemoteGateOptions, events: RemoteGateEvents): RemoteGate {
    if (this.closed) throw new Error('the gate has been stopped');
    // Looked at here as well, where somebody can be told.
    new Router(options.secrets ?? []);
    new RequestRules(options.rules ?? []);
    const id = ++this.count;
    const told = { tellsRequests: events.request !== undefined, asks: events.held !== undefined };
    const gate = new RemoteGate(id, planOf(options, told), events, () => this.gates.delete(id));
    this.gates.set(id, gate);
    if (this.isReady && this.child) gate.enter(this.child);
    return gate;
  }

  /** Closes what is open, and ends the process. */
  async close(): Promise<void> {
    this.closed = true;
    clearInterval(this.pinging);
    clearTimeout(this.restart);
    await Promise.all([...this.gates.values()].map((gate) => gate.close()));
    await this.child?.stop();
  }

  /** @returns null once it is ready, or how it ended before it was */
  private launch(): Promise<string | null> {
    return new Promise((resolve) => {
      const fail = (how: string, lastWords = ''): void => {
        this.fall(how, lastWords);
        resolve([how, lastWords].filter(Boolean).join(': '));
      };
      try {
        const child = new GateChild({
          user: this.user,
          onReport: (report) => {
            // What one says that is gone already is about requests that are gone with it.
            if (this.child !== child) return;
            if (report.type !== 'ready' || this.isReady) return this.receive(report);
            clearTimeout(patience);
            this.becomeReady(child);
            resolve(null);
          },
        });
        this.child = child;
        const patience = setTimeout(() => child.kill('it did not become ready'), READY_PATIENCE_MS);
        child.send({ type: 'start', authority: this.authority.identity(), trusted: extraAuthorities() });
        void child.ended.then((how) => {
          clearTimeout(patience);
          fail(how, child.lastWords);
        });
      } catch (error) {
        // No descriptors or no memory, for the moment.
        fail((error as Error).message);
      }
    });
  }

  private becomeReady(child: GateChild): void {
    this.isReady = true;
    this.readySince = performance.now();
    this.missedPongs = 0;
    for (const gate of this.gates.values()) gate.enter(child);
  }

  private receive(report: Report): void {
    this.missedPongs = 0;
    if (report.type === 'ready' || report.type === 'pong') return;
    this.gates.get(report.id)?.receive(report);
  }

  private fall(how: string, lastWords: string): void {
    const wasReady = this.isReady;
    this.child = null;
    this.isReady = false;
    for (const gate of this.gates.values()) gate.lose(how);
    if (this.closed) return;
    const steady = wasReady && performance.now() - this.readySince > STEADY_MS;
    this.pauseMs = steady ? FIRST_PAUSE_MS : Math.min(this.pauseMs * 2, LONGEST_PAUSE_MS);
    this.warn(`The gate's process ended (${how}) and is started again. ${lastWords}`.trim());
    this.restart = setTimeout(() => void this.launch(), this.pauseMs);
  }

  private ping(): void {
    if (!this.isReady) return;
    if (this.missedPongs >= MOST_MISSED_PONGS) this.child?.kill('it did not respond');
    this.missedPongs += 1;
    this.child?.send({ type: 'ping' });
  }
}

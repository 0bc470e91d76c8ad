import { Injectable } from '@nestjs/common';

import {
  CertificateAuthority,
  Dialer,
  type Gate,
  type HostUsage,
  HostSet,
  LeafContexts,
  UnusableSecret,
  createGate,
  parseHost,
} from '../../../libs/egress/index.js';
import type { BoxNetwork, BoxedProcess } from '../../../libs/sandbox/index.js';
import { Settings } from '../../core/config/settings.js';
import type { SecretPlan } from '../../secrets/secret-plan.js';
import type { ClaimedRun } from './claimed-run.js';
import { RunFailure } from './run-failure.js';

/** A host that says nothing for longer is given up on; a script with less time is told before its own runs out. */
const MOST_SILENCE_MS = 300_000;
const LAST_WORDS_MS = 2_000;

/** What a gate tells while its run goes on. */
export interface GateEvents {
  log(line: string): void;
  secretUsed(name: string): void;
}

/** The gates of this worker: one certificate authority, in memory only, and one dialer for all of them. */
@Injectable()
export class Gates {
  private readonly ca = new LeafContexts(new CertificateAuthority());
  private readonly dialer: Dialer;

  constructor(settings: Settings) {
    this.dialer = new Dialer({ allow: settings.outboundAllow });
  }

  /** A gate for a run, or null for one that reaches nothing. */
  open(run: ClaimedRun, { attached }: SecretPlan, events: GateEvents): RunGate | null {
    if (run.hosts.length === 0) return null;
    const idleMs = Math.max(1_000, Math.min(MOST_SILENCE_MS, run.timeoutSeconds * 1000 - LAST_WORDS_MS));
    try {
      const gate = createGate({
        ca: this.ca,
        hosts: new HostSet(run.hosts),
        secrets: attached,
        dialer: this.dialer,
        log: (line) => events.log(line),
        onSecretUsed: (name) => events.secretUsed(name),
        timeouts: { idleMs },
      });
      return new RunGate(gate, networkOf(run.hosts, this.ca.authority.certificate));
    } catch (error) {
      if (error instanceof UnusableSecret) throw new RunFailure(error.message);
      throw error;
    }
  }
}

/** The only way out of one box. */
export class RunGate {
  constructor(
    private readonly gate: Gate,
    /** What the box needs to know to lead there. */
    readonly network: BoxNetwork,
  ) {}

  /** Takes over the sockets that listen in the box. Connections that come before wait in their queue. */
  async attach(box: BoxedProcess): Promise<void> {
    const way = await box.network;
    if (!way) return;
    for (const { server, port } of way.servers) this.gate.serve(server, port);
    this.gate.answerDns(way.dns);
  }

  usage(): HostUsage[] {
    return this.gate.usage();
  }

  close(): void {
    this.gate.close();
  }
}

function networkOf(hosts: readonly string[], caPem: string): BoxNetwork {
  const patterns = hosts.map((host) => parseHost(host));
  return {
    ports: [...new Set([443, ...patterns.map(({ port }) => port)])],
    // What a wildcard stands for is not known beforehand: such names are answered by the DNS stub.
    names: [...new Set(patterns.filter(({ wildcard }) => !wildcard).map(({ name }) => name))],
    caPem,
  };
}

import { Injectable } from '@nestjs/common';

import { type HostUsage, type RemoteGate, UnusableSecret, parseHost } from '../../../libs/egress/index.js';
import type { BoxNetwork, BoxedProcess } from '../../../libs/sandbox/index.js';
import { Settings } from '../../core/config/settings.js';
import { WorkerGate } from '../../core/worker/worker-gate.js';
import type { SecretPlan } from '../../secrets/index.js';
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

/** The gates of this worker's runs, in the gate's process. */
@Injectable()
export class Gates {
  constructor(
    private readonly worker: WorkerGate,
    private readonly settings: Settings,
  ) {}

  /** A gate for a run, or null for one that reaches nothing. */
  open(run: ClaimedRun, { attached }: SecretPlan, events: GateEvents): RunGate | null {
    if (run.hosts.length === 0) return null;
    const idleMs = Math.max(1_000, Math.min(MOST_SILENCE_MS, run.timeoutSeconds * 1000 - LAST_WORDS_MS));
    try {
      const { process } = this.worker;
      const { hosts } = run;
      const allow = this.settings.outboundAllow;
      const gate = process.open({ hosts, secrets: attached, allow, timeouts: { idleMs } }, events);
      return new RunGate(gate, networkOf(hosts, process.certificate));
    } catch (error) {
      if (error instanceof UnusableSecret) throw new RunFailure(error.message);
      throw error;
    }
  }
}

/** The only way out of one box. */
export class RunGate {
  constructor(
    private readonly gate: RemoteGate,
    /** What the box needs to know to lead there. */
    readonly network: BoxNetwork,
  ) {}

  /** Takes over the sockets that listen in the box. Connections that come before wait in their queue. */
  async attach(box: BoxedProcess): Promise<void> {
    const way = await box.network;
    if (!way) return;
    for (const { handle, port } of way.servers) this.gate.serve(handle, port);
    this.gate.serveDns(way.dns);
  }

  /** Resolves with what went through, once all is told. */
  close(): Promise<HostUsage[]> {
    return this.gate.close();
  }
}

function networkOf(hosts: readonly string[], caPem: string): BoxNetwork {
  const patterns = hosts.map((host) => parseHost(host));
  return {
    ports: [...new Set([443, ...patterns.map(({ port }) => port)])],
    // Which names a wildcard stands for is not known beforehand: the DNS stub resolves them.
    names: [...new Set(patterns.filter(({ wildcard }) => !wildcard).map(({ name }) => name))],
    caPem,
  };
}

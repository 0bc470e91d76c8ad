import { Injectable } from '@nestjs/common';

import {
  type GateRequest,
  type HostUsage,
  type RemoteGate,
  UnusableSecret,
  parseHost,
} from '../../../libs/egress/index.js';
import type { BoxExit, BoxNetwork, BoxedProcess } from '../../../libs/sandbox/index.js';
import { Settings } from '../../core/config/index.js';
import { GateProcessService } from '../../core/worker/index.js';
import type { SecretPlan } from '../../secrets/index.js';
import type { ClaimedRun } from './claimed-run.js';
import { RunFailure } from './run-failure.js';

/**
 * A connection on which a host sends nothing for this long is closed. In any case it is closed so long before the run
 * times out.
 */
const MAX_IDLE_MS = 300_000;
const BEFORE_TIMEOUT_MS = 2_000;

/** What a gate reports while its run executes. */
export interface GateEvents {
  log(line: string): void;
  secretUsed(name: string): void;
  /** Left out where nobody traces them. */
  request?: (request: GateRequest) => void;
}

/** Opens gates for this worker's runs. They are served by a process of their own. */
@Injectable()
export class RunGates {
  constructor(
    private readonly gateProcess: GateProcessService,
    private readonly settings: Settings,
  ) {}

  /** A gate for a run, or null for one that reaches nothing. */
  open(run: ClaimedRun, { attached }: SecretPlan, events: GateEvents): RunGate | null {
    if (run.hosts.length === 0) return null;
    const idleMs = Math.max(1_000, Math.min(MAX_IDLE_MS, run.timeoutSeconds * 1000 - BEFORE_TIMEOUT_MS));
    try {
      const { process } = this.gateProcess;
      const { hosts, hostRules: rules } = run;
      const allow = this.settings.outboundAllow;
      const gate = process.open({ hosts, rules, secrets: attached, allow, timeouts: { idleMs } }, events);
      return new RunGate(gate, networkOf(hosts, process.certificate));
    } catch (error) {
      if (error instanceof UnusableSecret) throw new RunFailure(error.message);
      throw error;
    }
  }
}

/** The only way out of a run's box. */
export class RunGate {
  constructor(
    private readonly gate: RemoteGate,
    /** What the sandbox needs to lead the box's connections to the gate. */
    readonly network: BoxNetwork,
  ) {}

  /** Serves the sockets that listen in the box. Connections made before wait in the sockets' backlog. */
  async attach(box: BoxedProcess): Promise<void> {
    const network = await box.network;
    if (!network) return;
    for (const { handle, port } of network.servers) this.gate.serve(handle, port);
    this.gate.serveDns(network.dns);
  }

  /** What the box tried beside the gate. */
  noteRefused({ refusedPorts }: BoxExit): void {
    for (const { port, attempts } of refusedPorts) this.gate.refusedPort(port, attempts);
  }

  /** Resolves with what went through, when all events have been reported. */
  close(): Promise<HostUsage[]> {
    return this.gate.close();
  }
}

function networkOf(hosts: readonly string[], caPem: string): BoxNetwork {
  const patterns = hosts.map((host) => parseHost(host));
  return {
    ports: [...new Set([443, ...patterns.map(({ port }) => port)])],
    // The names that a wildcard stands for are not known beforehand; the gate's DNS server resolves them.
    names: [...new Set(patterns.filter(({ wildcard }) => !wildcard).map(({ name }) => name))],
    caPem,
  };
}

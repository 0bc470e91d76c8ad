import { Injectable } from '@nestjs/common';

import { type GateRequest, UnusableSecret } from '../../../libs/egress/index.js';
import { Settings } from '../../core/config/index.js';
import { BoxGate, GateProcessService } from '../../core/worker/index.js';
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
  open(run: ClaimedRun, { attached }: SecretPlan, events: GateEvents): BoxGate | null {
    if (run.hosts.length === 0) return null;
    const idleMs = Math.max(1_000, Math.min(MAX_IDLE_MS, run.timeoutSeconds * 1000 - BEFORE_TIMEOUT_MS));
    try {
      const { process } = this.gateProcess;
      const { hosts, hostRules: rules } = run;
      const allow = this.settings.outboundAllow;
      const gate = process.open({ hosts, rules, secrets: attached, allow, timeouts: { idleMs } }, events);
      return new BoxGate(gate, hosts, process.certificate);
    } catch (error) {
      if (error instanceof UnusableSecret) throw new RunFailure(error.message);
      throw error;
    }
  }
}

import { Injectable } from '@nestjs/common';

import {
  type GateRequest,
  type GateSecret,
  type HostPattern,
  HostSet,
  InvalidHost,
  parseHost,
  UnusableSecret,
} from '../../../libs/egress/index.js';
import { RUN_HEADER, RunTokens } from '../../core/causes/index.js';
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

/** The gate's word for a run: no secret has such a name, which begins with a letter. */
const RUN_TOKEN = '(run)';
/** It is good for as long as the run may take, and a little longer. */
const TOKEN_SLACK_MS = 300_000;

/** What a gate reports while its run executes. */
interface GateEvents {
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
    private readonly tokens: RunTokens,
  ) {}

  /** A gate for a run, or null for one that reaches nothing. */
  open(run: ClaimedRun, { attached }: SecretPlan, events: GateEvents): BoxGate | null {
    if (run.hosts.length === 0) return null;
    const idleMs = Math.max(1_000, Math.min(MAX_IDLE_MS, run.timeoutSeconds * 1000 - BEFORE_TIMEOUT_MS));
    try {
      const { process } = this.gateProcess;
      const { hosts, hostRules: rules } = run;
      const secrets = [...withoutRunHeader(attached), ...this.tokenOf(run)];
      const allow = this.settings.outboundAllow;
      const gate = process.open(
        { hosts, rules, secrets, allow, timeouts: { idleMs } },
        {
          ...events,
          secretUsed: (name) => {
            if (name !== RUN_TOKEN) events.secretUsed(name);
          },
        },
      );
      return new BoxGate(gate, hosts, process.certificate);
    } catch (error) {
      if (error instanceof UnusableSecret) throw new RunFailure(error.message);
      throw error;
    }
  }

  /** To this service itself the gate says whose script asks, so that chains of triggers are followed through its API. */
  private tokenOf({ id, workspaceId, hosts, timeoutSeconds }: ClaimedRun): GateSecret[] {
    const { baseUrl } = this.settings;
    const own = ownHost(baseUrl);
    if (!own || !new HostSet(hosts).matches(own.name, own.port)) return [];
    const value = this.tokens.issue({ id, workspaceId }, timeoutSeconds * 1000 + TOKEN_SLACK_MS);
    const harmlessBelow = new URL(baseUrl).pathname;
    return [{ name: RUN_TOKEN, hosts: new HostSet([own]), header: RUN_HEADER, value, harmlessBelow }];
  }
}

/** null: no script reaches it, for the gate lets HTTPS to names through and nothing else. */
function ownHost(baseUrl: string): HostPattern | null {
  const { protocol, host } = new URL(baseUrl);
  if (protocol !== 'https:') return null;
  try {
    return parseHost(host);
  } catch (error) {
    if (error instanceof InvalidHost) return null;
    throw error;
  }
}

/** @throws UnusableSecret */
function withoutRunHeader(secrets: readonly GateSecret[]): readonly GateSecret[] {
  const taken = secrets.find(({ header }) => header.toLowerCase().replaceAll('_', '-') === RUN_HEADER);
  if (taken) throw new UnusableSecret(taken.name, `the gate writes the header ${taken.header} itself`);
  return secrets;
}

import { Injectable } from '@nestjs/common';

import {
  type DecideHeld,
  type GateRequest,
  type GateSecret,
  type HostAuthorities,
  type HostPattern,
  type HostRule,
  HostSet,
  InvalidHost,
  parseHost,
  type RemoteGateOptions,
  UnusableSecret,
  type WithheldRequest,
} from '../../../libs/egress/index.js';
import { RUN_HEADER, RunTokens } from '../../core/causes/index.js';
import { Settings } from '../../core/config/index.js';
import { Notifications } from '../../core/database/index.js';
import { BoxGate, GateProcessService } from '../../core/worker/index.js';
import { HostAuthoritiesReader } from '../../host-authorities/index.js';
import type { SecretPlan } from '../../secrets/index.js';
import { QuestionsService } from '../asking/questions.service.js';
import { RunQuestions } from '../asking/run-questions.js';
import type { Masking } from '../asking/shown-request.js';
import { MOST_WAITING_MS } from '../asking/waiting-clock.js';
import type { ClaimedRun } from './claimed-run.js';
import { RunFailure } from './run-failure.js';
import { servicesOf } from './run-services.js';

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
  masker: Masking;
  /** While it is held, the time of the script does not pass. */
  holdClock(held: boolean): void;
  /** Of a plan: what was not sent. */
  withheld?: (request: WithheldRequest) => void;
}

/**
 * What the gate of a run lets through and attaches.
 *
 * @throws UnusableSecret
 */
export function gateOptionsOf(
  run: ClaimedRun,
  { attached, signIns }: SecretPlan,
  { outboundAllow: allow, plainSecrets }: Pick<Settings, 'outboundAllow' | 'plainSecrets'>,
) {
  const idleMs = Math.max(1_000, Math.min(MAX_IDLE_MS, run.timeoutSeconds * 1000 - BEFORE_TIMEOUT_MS));
  const rules = rulesOf(run);
  const services = servicesOf(rules, signIns);
  const hosts = run.hosts.filter((host) => !services.some((service) => service.host === host));
  const secrets = withoutRunHeader(attached);
  return {
    hosts,
    rules,
    secrets,
    services,
    allow,
    plainSecrets,
    timeouts: { idleMs },
    readsOnly: run.plan,
  } satisfies RemoteGateOptions;
}

/** Opens gates for this worker's runs. They are served by a process of their own. */
@Injectable()
export class RunGates {
  constructor(
    private readonly gateProcess: GateProcessService,
    private readonly settings: Settings,
    private readonly tokens: RunTokens,
    private readonly questions: QuestionsService,
    private readonly notifications: Notifications,
    private readonly trusted: HostAuthoritiesReader,
  ) {}

  /** Of the workspace, for the hosts of the run. */
  authoritiesFor({ workspaceId, hosts }: ClaimedRun): Promise<HostAuthorities[]> {
    return this.trusted.forHosts(workspaceId, hosts);
  }

  /** A gate for a run, or null for one that reaches nothing. */
  open(
    run: ClaimedRun,
    { plan, hostAuthorities }: { plan: SecretPlan; hostAuthorities: HostAuthorities[] },
    events: GateEvents,
  ): BoxGate | null {
    if (run.hosts.length === 0) return null;
    try {
      const { process } = this.gateProcess;
      const options = gateOptionsOf(run, plan, this.settings);
      const { hosts, rules, services } = options;
      const { masker, holdClock, ...told } = events;
      const gate = process.open(
        { ...options, secrets: [...options.secrets, ...this.tokenOf(run)], hostAuthorities },
        {
          ...told,
          secretUsed: (name) => {
            if (name !== RUN_TOKEN) events.secretUsed(name);
          },
          ...(asks(rules) && { held: this.deciderOf(run, { log: told.log, masker, holdClock }) }),
        },
      );
      return new BoxGate(gate, hosts, process.certificate, services);
    } catch (error) {
      if (error instanceof UnusableSecret) throw new RunFailure(error.message);
      throw error;
    }
  }

  private deciderOf(run: ClaimedRun, parts: Pick<GateEvents, 'log' | 'masker' | 'holdClock'>): DecideHeld {
    const { questions, notifications } = this;
    const asking = new RunQuestions(run, { questions, notifications, ...parts });
    return (request, gone) => asking.ask(request, gone);
  }

  /** To this service itself the gate says whose script asks, so that chains of triggers are followed through its API. */
  private tokenOf(run: ClaimedRun): GateSecret[] {
    const { id, workspaceId, hosts, timeoutSeconds } = run;
    const { baseUrl } = this.settings;
    const own = ownHost(baseUrl);
    if (!own || !new HostSet(hosts).matches(own.name, own.port)) return [];
    const slack = TOKEN_SLACK_MS + (asks(rulesOf(run)) ? MOST_WAITING_MS : 0);
    const value = this.tokens.issue({ id, workspaceId }, timeoutSeconds * 1000 + slack);
    const harmlessBelow = new URL(baseUrl).pathname;
    return [{ name: RUN_TOKEN, hosts: new HostSet([own]), header: RUN_HEADER, value, harmlessBelow }];
  }
}

/** Those that ask about agents alone ask nobody about the runs of others. */
function rulesOf({ hostRules, byAgent }: ClaimedRun): HostRule[] {
  return hostRules.map(({ ask, ...rule }) =>
    ask === 'always' || (ask && byAgent) ? { ...rule, ask } : rule,
  );
}

function asks(rules: readonly HostRule[]): boolean {
  return rules.some(({ ask }) => ask !== undefined);
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

import { type NewApproval, systemAsker } from '../../approvals/index.js';
import { newId } from '../../core/crypto/index.js';
import { asksOf, type Debounce, labelParts } from '../../scripts/index.js';
import { NOT_DEBOUNCED } from '../debounce/debounce.rules.js';
import { type CauseColumns, NO_CAUSE } from '../run.cause.js';
import { approvalOf } from '../starting/run-approval.js';
import { holdOf } from '../starting/run.policy.js';
import { firstPhase, keyPartsOf, type RunTurn } from '../turns/run-turn.rules.js';
import type { AutomatedRunOrder, FittedInputs } from './automated-run-order.js';
import type { OrderCircumstances, RunnableVersion } from './automated-runs.repository.js';
import type { AutomatedRun } from './automated-runs.sql.js';

/** A run as an order wants it. */
export interface MadeRun {
  run: AutomatedRun;
  /** How long it waits for further starts; null: it does not. */
  debounce: Debounce | null;
  /** null: it needs none, and is not held. */
  approval: NewApproval | null;
}

/** What only a start that somebody asks for may say. */
const NOT_ASKED_FOR = {
  apiHops: 0,
  credentialId: null,
  credentialType: null,
  credentialName: null,
  retry: null,
  startAt: null,
  expiresAt: null,
  rank: 0,
  plan: false,
  labels: {},
  ...NOT_DEBOUNCED,
} satisfies Partial<AutomatedRun>;

export function runOf(
  order: AutomatedRunOrder,
  circumstances: OrderCircumstances,
  version: RunnableVersion,
  { inputs, problem, ask }: Omit<FittedInputs, 'of'>,
): MadeRun {
  const { origin, byAgent } = order;
  const { scriptPolicy, environmentPolicy, queue } = circumstances;
  const places = { queue, concurrency: version.concurrency };
  const hold = holdOf({
    scriptPolicy,
    environmentPolicy,
    byAgent,
    agentAsks: false,
    asked: asksOf(ask, byAgent) ? ask : null,
    unseenTest: false,
  });
  const held = problem === null && hold !== null;
  const run: AutomatedRun = {
    id: order.id,
    workspaceId: order.workspaceId,
    environmentId: order.environmentId,
    scriptId: order.scriptId,
    scriptSlug: circumstances.slug,
    versionId: version.id,
    // What is published has one.
    version: version.number!,
    ...stateOf(problem, held, places),
    queue,
    keyParts: keyPartsOf(places),
    labelParts: labelParts(version.labels),
    inputs,
    error: problem,
    startedByUserId: order.createdByUserId,
    byAgent,
    interface: origin.interface,
    approvalRequestId: held ? newId('approval') : null,
    scheduleId: origin.interface === 'schedule' ? origin.scheduleId : null,
    triggerId: origin.interface === 'trigger' ? origin.triggerId : null,
    hookId: origin.interface === 'hook' ? origin.hookId : null,
    hops: origin.interface === 'schedule' ? 0 : origin.hops,
    chainEventId: origin.interface === 'schedule' ? null : origin.chainEventId,
    ...causeColumnsOf(origin),
    ...NOT_ASKED_FOR,
    eventId: newId('event'),
    test: false,
    traceparent: order.traceparent,
  };
  // A schedule names the moments of its runs.
  const waits = run.phase !== 'finished' && !held && origin.interface !== 'schedule';
  const debounce = waits ? version.debounce : null;
  if (run.approvalRequestId === null) return { run, debounce, approval: null };
  const approval = approvalOf(
    {
      ...run,
      approvalRequestId: run.approvalRequestId,
      environment: circumstances.environment,
      script: {
        id: order.scriptId,
        slug: circumstances.slug,
        name: circumstances.name,
        ownerUserId: circumstances.ownerUserId,
      },
      hosts: version.hosts,
      hostRules: version.hostRules,
      secrets: version.secrets,
      retry: version.retry,
      test: false,
      plan: false,
      hold: hold!,
    },
    systemAsker(order.createdByUserId),
  );
  return { run, debounce, approval };
}

/** The run behind it, or else the event that fired its trigger. */
function causeColumnsOf(origin: AutomatedRunOrder['origin']): CauseColumns {
  if (origin.interface === 'schedule') return NO_CAUSE;
  const { causedByRunId, causedByEventId } = origin;
  if (causedByRunId !== null) return { causeType: 'run', causeId: causedByRunId };
  return causedByEventId === null ? NO_CAUSE : { causeType: 'event', causeId: causedByEventId };
}

/** Where a run begins, or how it has ended. */
export function stateOf(
  problem: string | null,
  held: boolean,
  places: Pick<RunTurn, 'queue' | 'concurrency'> = { queue: null, concurrency: null },
): Pick<AutomatedRun, 'status' | 'phase'> {
  if (problem !== null) return { status: 'failed', phase: 'finished' };
  if (held) return { status: 'awaiting_approval', phase: 'held' };
  return { status: 'running', phase: firstPhase({ startAt: null, ...places }) };
}

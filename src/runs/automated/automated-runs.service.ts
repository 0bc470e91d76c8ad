import { Injectable } from '@nestjs/common';

import { ApprovalsService, type NewApproval, systemAsker } from '../../approvals/index.js';
import { newId } from '../../core/crypto/index.js';
import { ProblemError } from '../../core/errors/index.js';
import { RawJson } from '../../core/json/index.js';
import { PATIENCE, SchemaChecks } from '../../core/schema/index.js';
import { UsageService } from '../../usage/index.js';
import { approvalOf } from '../starting/run-approval.js';
import { holdOf } from '../starting/run.policy.js';
import { RUNS_QUEUE } from '../../core/queue/index.js';
import { Waker } from '../../core/work/index.js';
import { inSlices, portionsOf } from './automated-run.portions.js';
import { refusalOf } from './automated-run.refusal.js';
import type { RefusedOrder, AutomatedRunOrder } from './automated-run-order.js';
import {
  type OrderCircumstances,
  type RunnableVersion,
  AutomatedRunsRepository,
} from './automated-runs.repository.js';
import type { AutomatedRun } from './automated-runs.sql.js';

/** Runs that no request asks for: those of schedules and triggers, many at once. */
@Injectable()
export class AutomatedRunsService {
  constructor(
    private readonly repository: AutomatedRunsRepository,
    private readonly approvals: ApprovalsService,
    private readonly waker: Waker,
    private readonly usage: UsageService,
    private readonly checks: SchemaChecks,
  ) {}

  /**
   * Makes the runs in the surrounding transaction: each is queued, held for an approval, or failed where its inputs do not
   * fit. An order that can never run again is refused instead: its schedule or trigger is to be disabled.
   *
   * @returns `bytes`: of the inputs of the runs that were made
   */
  async start(orders: readonly AutomatedRunOrder[]): Promise<{ refused: RefusedOrder[]; bytes: number }> {
    if (orders.length === 0) return { refused: [], bytes: 0 };
    const { known, refused } = await this.judge(orders);
    const versions = await this.versionsOf([...known.values()]);
    const refusals = new Set(refused.map(({ id }) => id));
    const startable = orders.filter(({ id }) => !refusals.has(id));
    const made = await inSlices(startable, async (order) => {
      const circumstances = known.get(order.id)!;
      const version = versions.get(circumstances.versionId!)!;
      return runOf(order, circumstances, version, await this.fitted(order, version));
    });
    await this.admit(made);
    for (const portion of portionsOf(made)) await this.insert(portion);
    const runs = made.map(({ run }) => run);
    if (runs.some(({ phase }) => phase === 'queued')) this.waker.wake(RUNS_QUEUE);
    return { refused, bytes: runs.reduce((sum, { inputs }) => sum + Buffer.byteLength(inputs.text), 0) };
  }

  /** Which of these orders would be refused now, without starting any. */
  async refusals(orders: readonly AutomatedRunOrder[]): Promise<RefusedOrder[]> {
    return orders.length === 0 ? [] : (await this.judge(orders)).refused;
  }

  private async insert(made: readonly MadeRun[]): Promise<void> {
    await this.repository.insert(made.map(({ run }) => run));
    await this.approvals.fileMany(
      made.flatMap(({ run, approval }) => (run.phase === 'held' ? [approval!] : [])),
    );
  }

  /** A run that a limit of the plan does not allow fails, saying so. */
  private async admit(made: readonly MadeRun[]): Promise<void> {
    const startable = made.flatMap(({ run }) => (run.phase === 'finished' ? [] : [run]));
    const refusals = await this.usage.admit(
      'runs',
      startable.map(({ workspaceId }) => workspaceId),
    );
    for (const [index, run] of startable.entries()) {
      const problem = refusals[index] ?? null;
      if (problem === null) continue;
      Object.assign(run, stateOf(problem, false), { error: problem, approvalRequestId: null });
    }
  }

  /** The inputs with defaults filled in; as they are where they do not fit. */
  private async fitted(
    { workspaceId, inputs, problem }: AutomatedRunOrder,
    { inputSchema: schema, command }: RunnableVersion,
  ): Promise<FittedInputs> {
    if (problem !== null) return { inputs: new RawJson(JSON.stringify(inputs)), problem };
    try {
      const patience = PATIENCE.batch;
      const fitting = await this.checks.inputs({ schema, command, inputs, workspaceId, patience });
      const file = fitting.fileFields[0];
      const files = file && `inputs.${file.field}: schedules and triggers cannot give files to a run`;
      return { inputs: fitting.inputs, problem: files ?? null };
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      return { inputs: new RawJson(JSON.stringify(inputs)), problem: error.message };
    }
  }

  private async judge(
    orders: readonly AutomatedRunOrder[],
  ): Promise<{ known: Map<string, OrderCircumstances>; refused: RefusedOrder[] }> {
    const known = new Map((await this.repository.circumstances(orders)).map((row) => [row.id, row]));
    const refused = orders.flatMap((order) => {
      const circumstances = known.get(order.id);
      const reason = circumstances ? refusalOf(order, circumstances) : 'its script is gone';
      return reason === null ? [] : [{ id: order.id, reason }];
    });
    return { known, refused };
  }

  private async versionsOf(rows: readonly OrderCircumstances[]): Promise<Map<string, RunnableVersion>> {
    const ids = new Set(rows.flatMap(({ versionId }) => versionId ?? []));
    return new Map((await this.repository.versions([...ids])).map((version) => [version.id, version]));
  }
}

interface MadeRun {
  run: AutomatedRun;
  /** null: it needs none, and is not held. */
  approval: NewApproval | null;
}

interface FittedInputs {
  inputs: RawJson;
  /** Why they do not fit, or null. */
  problem: string | null;
}

function runOf(
  order: AutomatedRunOrder,
  circumstances: OrderCircumstances,
  version: RunnableVersion,
  { inputs, problem }: FittedInputs,
): MadeRun {
  const { origin, byAgent } = order;
  const { scriptPolicy, environmentPolicy } = circumstances;
  const hold = holdOf({ scriptPolicy, environmentPolicy, byAgent, unseenTest: false });
  const held = problem === null && hold !== null;
  const run: AutomatedRun = {
    id: order.id,
    workspaceId: order.workspaceId,
    environmentId: order.environmentId,
    scriptId: order.scriptId,
    scriptSlug: circumstances.slug,
    versionId: version.id,
    version: version.number,
    ...stateOf(problem, held),
    inputs,
    error: problem,
    startedByUserId: order.createdByUserId,
    byAgent,
    interface: origin.interface,
    approvalRequestId: held ? newId('approval') : null,
    scheduleId: origin.interface === 'schedule' ? origin.scheduleId : null,
    triggerId: origin.interface === 'trigger' ? origin.triggerId : null,
    hops: origin.interface === 'trigger' ? origin.hops : 0,
    chainEventId: origin.interface === 'trigger' ? origin.chainEventId : null,
    eventId: newId('event'),
    test: false,
    traceparent: order.traceparent,
  };
  if (run.approvalRequestId === null) return { run, approval: null };
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
      test: false,
      hold: hold!,
    },
    systemAsker(order.createdByUserId),
  );
  return { run, approval };
}

function stateOf(problem: string | null, held: boolean): Pick<AutomatedRun, 'status' | 'phase'> {
  if (problem !== null) return { status: 'failed', phase: 'finished' };
  return held ? { status: 'awaiting_approval', phase: 'held' } : { status: 'running', phase: 'queued' };
}

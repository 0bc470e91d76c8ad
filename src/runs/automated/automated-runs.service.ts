import { isDeepStrictEqual } from 'node:util';

import { Injectable } from '@nestjs/common';

import { ApprovalsService } from '../../approvals/index.js';
import { AuditTrail } from '../../audit/index.js';
import { ProblemError } from '../../core/errors/index.js';
import { RawJson } from '../../core/json/index.js';
import { ChecksBusy, type Patience, PATIENCE, SchemaChecks } from '../../core/schema/index.js';
import { UsageService } from '../../usage/index.js';
import { NOT_DEBOUNCED } from '../debounce/debounce.rules.js';
import { RunDebounceService } from '../debounce/run-debounce.service.js';
import { RUNS_QUEUE } from '../../core/queue/index.js';
import { Batcher, Waker } from '../../core/work/index.js';
import { type MadeRun, runOf, stateOf } from './automated-run.made.js';
import { inSlices, portionsOf } from './automated-run.portions.js';
import { refusalOf } from './automated-run.refusal.js';
import type { AutomatedRunOrder, CausingRun, FittedInputs, RefusedOrder } from './automated-run-order.js';
import {
  type OrderCircumstances,
  type RunnableVersion,
  AutomatedRunsRepository,
  entriesOf,
} from './automated-runs.repository.js';
import { RunBacklog } from './run-backlog.js';

/** What became of orders. */
export interface StartedOrders {
  refused: RefusedOrder[];
  changed: string[];
  bytes: number;
  runIds: ReadonlyMap<string, string>;
}

/** Runs that no request asks for: those of schedules, triggers and hooks, many at once. */
@Injectable()
export class AutomatedRunsService {
  private readonly versions = new Batcher<string, RunnableVersion | null>(
    async (ids) => {
      const found = await this.versionsById(ids);
      return ids.map((id) => found.get(id) ?? null);
    },
    { most: 100, atOnce: 1 },
  );

  constructor(
    private readonly repository: AutomatedRunsRepository,
    private readonly approvals: ApprovalsService,
    private readonly waker: Waker,
    private readonly usage: UsageService,
    private readonly checks: SchemaChecks,
    private readonly backlog: RunBacklog,
    private readonly debounce: RunDebounceService,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Makes the runs in the surrounding transaction: each is queued, held for an approval, or failed where its inputs do not
   * fit, or its version asks for more than the plan allows. An order that can never run again is refused instead: its schedule or trigger is to be disabled.
   *
   * @returns `bytes`: of the inputs of the runs that were made; `changed`: orders of which no run was made, since what was
   * checked for them is not what they would run any more; `runIds`: of orders that are another's run, since it waits for further
   * starts
   * @throws ChecksBusy where inputs that nobody has checked find no free thread
   */
  async start(orders: readonly AutomatedRunOrder[]): Promise<StartedOrders> {
    if (orders.length === 0) return { refused: [], changed: [], bytes: 0, runIds: new Map() };
    const { known, refused } = await this.judge(orders);
    const versions = await this.versionsOf([...known.values()]);
    const refusals = new Set(refused.map(({ id }) => id));
    const startable = orders.filter(({ id }) => !refusals.has(id));
    const [changed, current] = partition(startable, (order) => hasChanged(order, known.get(order.id)!));
    const patience = orders.length === 1 ? PATIENCE.order : PATIENCE.batch;
    const made = await inSlices(current, async (order) => {
      const circumstances = known.get(order.id)!;
      const version = versions.get(circumstances.versionId!)!;
      const fitted = order.fitted ?? (await this.checked(order, version, patience));
      const problem = fitted.problem ?? this.usage.excessOfRun(circumstances.plan, version);
      return runOf(order, circumstances, version, { ...fitted, problem });
    });
    const bytes = made.reduce((sum, { run }) => sum + Buffer.byteLength(run.inputs.text), 0);
    const { own, runIds } = await this.gather(made);
    await this.admit(own);
    for (const portion of portionsOf(own)) await this.insert(portion);
    const runs = own.map(({ run }) => run);
    for (const { workspaceId, phase, inputs } of runs) {
      if (phase !== 'finished') this.backlog.add(workspaceId, inputs.text.length);
    }
    if (runs.some(({ phase }) => phase === 'queued')) this.waker.wake(RUNS_QUEUE);
    return { refused, changed: changed.map(({ id }) => id), bytes, runIds };
  }

  /**
   * Checks the inputs of an order to be, which takes as long as their schema wants: outside of a transaction.
   *
   * @throws ChecksBusy
   */
  async fit(
    { workspaceId, inputs }: Pick<AutomatedRunOrder, 'workspaceId' | 'inputs'>,
    versionId: string | null,
  ): Promise<FittedInputs> {
    const version = versionId === null ? null : await this.versions.add(versionId);
    const order = { workspaceId, inputs, problem: null };
    const checked = version
      ? await this.checked(order, version, PATIENCE.order)
      : { ...unchecked(order), ask: null };
    return { ...checked, of: { inputs, versionId, ask: version?.script?.ask ?? null } };
  }

  /** Which of these orders would be refused now, without starting any. */
  async refusals(orders: readonly AutomatedRunOrder[]): Promise<RefusedOrder[]> {
    return orders.length === 0 ? [] : (await this.judge(orders)).refused;
  }

  /** null: it is gone, or belongs to another workspace. */
  causingRun(workspaceId: string, id: string): Promise<CausingRun | null> {
    return this.repository.causingRun(workspaceId, id);
  }

  /** Has those that wait for further starts take the place of each other. `own`: those that make a run. */
  private async gather(made: readonly MadeRun[]): Promise<{ own: MadeRun[]; runIds: Map<string, string> }> {
    const waiting = made.filter(({ debounce }) => debounce !== null);
    const gathered = await this.debounce.gather(
      waiting.map(({ run, debounce }) => ({ run, debounce: debounce!, guestId: null })),
    );
    const runIds = new Map<string, string>();
    const gone = new Set<MadeRun>();
    for (const [index, one] of waiting.entries()) {
      const { id, made: columns } = gathered[index]!;
      runIds.set(one.run.id, id);
      if (columns === null) gone.add(one);
      Object.assign(one.run, { id }, columns && { ...columns, phase: 'delayed' });
    }
    await this.audit.recordMany(entriesOf([...gone].map(({ run }) => run)));
    return { own: made.filter((one) => !gone.has(one)), runIds };
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
      const ended = { error: problem, approvalRequestId: null, startAt: null, ...NOT_DEBOUNCED };
      Object.assign(run, stateOf(problem, false), ended);
    }
  }

  /** The inputs with defaults filled in; as they are where they do not fit. */
  private async fitted(
    { workspaceId, inputs, problem }: Pick<AutomatedRunOrder, 'workspaceId' | 'inputs' | 'problem'>,
    { inputSchema: schema, command }: RunnableVersion,
    patience: Patience,
  ): Promise<Omit<CheckedInputs, 'ask'>> {
    if (problem !== null) return unchecked({ inputs, problem });
    try {
      const fitting = await this.checks.inputs({ schema, command, inputs, workspaceId, patience });
      const file = fitting.fileFields[0];
      const files = file && `inputs.${file.field}: schedules, triggers and hooks cannot give files to a run`;
      return { inputs: fitting.inputs, problem: files ?? null };
    } catch (error) {
      if (!(error instanceof ProblemError) || error instanceof ChecksBusy) throw error;
      return unchecked({ inputs, problem: error.message });
    }
  }

  /** The inputs, and whether the script's rule asks about such. */
  private async checked(
    order: Pick<AutomatedRunOrder, 'workspaceId' | 'inputs' | 'problem'>,
    version: RunnableVersion,
    patience: Patience,
  ): Promise<CheckedInputs> {
    const fitted = await this.fitted(order, version, patience);
    const ask = version.script?.ask ?? null;
    if (fitted.problem !== null || ask === null) return { ...fitted, ask: null };
    const limits = { workspaceId: order.workspaceId, patience };
    return { ...fitted, ask: (await this.checks.matches(ask.when, fitted.inputs, limits)) ? ask : null };
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
    return this.versionsById(rows.flatMap(({ versionId }) => versionId ?? []));
  }

  private async versionsById(ids: readonly string[]): Promise<Map<string, RunnableVersion>> {
    const versions = await this.repository.versions([...new Set(ids)]);
    return new Map(versions.map((version) => [version.id, version]));
  }
}

type CheckedInputs = Omit<FittedInputs, 'of'>;

function unchecked({
  inputs,
  problem,
}: Pick<AutomatedRunOrder, 'inputs' | 'problem'>): Omit<CheckedInputs, 'ask'> {
  return { inputs: new RawJson(JSON.stringify(inputs)), problem };
}

/** Whether something else was checked for an order than what it would run. */
function hasChanged({ inputs, fitted }: AutomatedRunOrder, { versionId, ask }: OrderCircumstances): boolean {
  return !!fitted && !isDeepStrictEqual(fitted.of, { inputs, versionId, ask });
}

function partition<T>(all: readonly T[], belongs: (item: T) => boolean): [T[], T[]] {
  const { true: those = [], false: others = [] } = Object.groupBy(all, (item) => `${belongs(item)}`);
  return [those, others];
}

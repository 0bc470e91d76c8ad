import { Injectable, Logger } from '@nestjs/common';

import { AutomationDisablingService, type RefusedAutomation } from '../../automations/index.js';
import { newId } from '../../core/crypto/index.js';
import { Database } from '../../core/database/index.js';
import { Outbox } from '../../core/outbox/index.js';
import { ChecksBusy } from '../../core/schema/index.js';
import { type Span, Tracing } from '../../core/tracing/index.js';
import { Batcher } from '../../core/work/index.js';
import {
  type AutomatedRunOrder,
  AutomatedRunsService,
  BACKLOG,
  type FittedInputs,
  inputPortions,
  RunBacklog,
} from '../../runs/index.js';
import { type FiringPlan, FiringPlans } from '../cron/firing-plan.js';
import { missedEvent } from '../schedule.events.js';
import { SCHEDULE } from '../schedule.kind.js';
import { ScheduleClaimsRepository } from './schedule-claims.repository.js';
import type { ClaimedSchedule, DueSchedule } from './schedule-claims.sql.js';

/** So many are fired in one transaction, if their inputs are no larger than a portion. */
const PORTION = 25;
/** So many transactions at once, each with a connection of the pool. */
const AT_ONCE = 3;
/** They wait this long for others to share a transaction with. */
const GATHER_MS = 5;
/** What was begun so often and did not come to an end is not begun again. */
const MOST_ATTEMPTS = 3;
const GIVEN_UP = `the service began ${MOST_ATTEMPTS} times to start its run, and did not come to an end`;
/** Until inputs that found the checks busy are checked again. */
const BUSY_SECONDS = 10;
/** One that could not even be disabled is left alone for an hour. */
const HOPELESS_SECONDS = 3_600;

interface Firing {
  schedule: DueSchedule;
  runId: string;
  next: Date;
  missed: FiringPlan['missed'];
  /** Begins the run's trace; null where there is no tracing. */
  span: Span | null;
}

/** One whose inputs are checked. */
interface Ready {
  claim: ClaimedSchedule;
  inputs: FittedInputs;
}

/** Starts the runs of schedules that are due, those of different workspaces together. */
@Injectable()
export class ScheduleFiringService {
  private readonly logger = new Logger('Schedules');
  private readonly together = new Batcher<Ready, void>((ready) => this.startPortions(ready), {
    most: PORTION,
    atOnce: AT_ONCE,
    gatherMs: GATHER_MS,
  });
  private readonly singly = new Batcher<ClaimedSchedule, void>(
    async ([claim]) => [await this.again(claim!)],
    {
      most: 1,
      atOnce: 1,
    },
  );

  constructor(
    private readonly claims: ScheduleClaimsRepository,
    private readonly runs: AutomatedRunsService,
    private readonly backlog: RunBacklog,
    private readonly outbox: Outbox,
    private readonly disabling: AutomationDisablingService,
    private readonly database: Database,
    private readonly tracing: Tracing,
  ) {}

  /**
   * Fires one. Its inputs are checked before any transaction begins. After an attempt that did not come to an end it is tried
   * alone, while no other is: that shows which one is in the way. It is disabled after the third.
   */
  async fire(claim: ClaimedSchedule): Promise<void> {
    if (claim.over) return this.claims.finish([claim]);
    try {
      if (claim.attempts > 0) await this.singly.add(claim);
      else await this.together.add(await this.prepare(claim));
    } catch (error) {
      if (!(error instanceof ChecksBusy)) throw error;
      await this.waitForChecks(claim);
    }
  }

  /** No attempt was made. One that has waited for too long is disabled. */
  private waitForChecks(claim: ClaimedSchedule): Promise<void> {
    const waitedMs = claim.now.getTime() - claim.due.getTime();
    if (waitedMs >= BACKLOG.giveUpSeconds * 1_000) return this.giveUp(claim, BACKLOG.unchecked);
    return this.claims.postpone(claim, BUSY_SECONDS, claim.attempts);
  }

  private async again(claim: ClaimedSchedule): Promise<void> {
    const attempts = await this.claims.countAttempt(claim);
    if (attempts === null) return;
    if (attempts <= MOST_ATTEMPTS) return this.start([await this.prepare(claim)]);
    if (attempts === MOST_ATTEMPTS + 1) return this.giveUp(claim, GIVEN_UP);
    this.logger.error(
      `The schedule ${claim.id} is left alone for an hour: ${attempts - 1} attempts came to no end.`,
    );
    await this.claims.postpone(claim, HOPELESS_SECONDS);
  }

  private giveUp(claim: ClaimedSchedule, reason: string): Promise<void> {
    return this.database.transaction(async () => {
      this.logger.error(`The schedule ${claim.id} is disabled: ${reason}.`);
      await this.disabling.disable(SCHEDULE, [{ id: claim.id, reason }]);
      await this.claims.finish([claim]);
    });
  }

  private async prepare(claim: ClaimedSchedule): Promise<Ready> {
    return { claim, inputs: await this.runs.fit(claim, claim.versionId) };
  }

  private async startPortions(ready: readonly Ready[]): Promise<void[]> {
    for (const portion of inputPortions(ready)) await this.start(portion);
    return ready.map(() => undefined);
  }

  private start(ready: readonly Ready[]): Promise<void> {
    const claims = new Map(ready.map(({ claim }) => [claim.id, claim]));
    return this.database.transaction(async () => {
      const { ready: due, tired } = await this.withRoom(await this.claims.hold([...claims.values()]), claims);
      const { firings, unreadable } = this.plan(due);
      const fitted = new Map(ready.map(({ claim, inputs }) => [claim.id, inputs]));
      const started = await this.runs.start(
        firings.map((firing) => ({ ...orderOf(firing), fitted: fitted.get(firing.schedule.id)! })),
      );
      const refused = new Map(started.refused.map(({ id, reason }) => [id, reason]));
      const changed = new Set(started.changed);
      const fired = firings.filter(({ runId }) => !refused.has(runId) && !changed.has(runId));
      const advanced = fired.map(({ schedule: { id }, next, runId }) => ({ id, next, runId }));
      if (fired.length > 0) await this.claims.advance(advanced);
      this.database.afterCommit(() => fired.forEach(({ span }) => span?.end()));
      await this.outbox.addMany(
        fired.flatMap(({ schedule, missed }) => (missed ? missedEvent({ schedule, ...missed }) : [])),
      );
      const refusedSchedules = firings.flatMap(({ schedule: { id }, runId }) => {
        const reason = refused.get(runId);
        return reason === undefined ? [] : [{ id, reason }];
      });
      await this.disabling.disable(SCHEDULE, [...tired, ...unreadable, ...refusedSchedules]);
      for (const { schedule, runId } of firings.filter((firing) => changed.has(firing.runId))) {
        this.logger.debug(`The run ${runId} is ordered again: what it would run has just changed.`);
        await this.claims.postpone(claims.get(schedule.id)!, 0, 0);
        claims.delete(schedule.id);
      }
      await this.claims.finish([...claims.values()]);
    });
  }

  /**
   * Puts those back of workspaces that have no room for another run, and all that are due there with them. Those that have
   * waited for long are `tired`: to be disabled.
   *
   * @param claims loses those that are put back
   */
  private async withRoom(
    held: readonly DueSchedule[],
    claims: Map<string, ClaimedSchedule>,
  ): Promise<{ ready: DueSchedule[]; tired: RefusedAutomation[] }> {
    const full = await this.backlog.full(held.map(({ workspaceId }) => workspaceId));
    const { retrySeconds, giveUpSeconds, reason } = BACKLOG;
    const tired: RefusedAutomation[] = [];
    for (const { id, workspaceId, due, now } of held.filter((schedule) => full.has(schedule.workspaceId))) {
      if (now.getTime() - due.getTime() >= giveUpSeconds * 1_000) {
        tired.push({ id, reason });
        continue;
      }
      await this.claims.postpone(claims.get(id)!, retrySeconds, 0);
      await this.claims.postponeAll(workspaceId, retrySeconds);
      claims.delete(id);
    }
    return { ready: held.filter(({ workspaceId }) => !full.has(workspaceId)), tired };
  }

  private plan(due: readonly DueSchedule[]): { firings: Firing[]; unreadable: RefusedAutomation[] } {
    const firings: Firing[] = [];
    const unreadable: RefusedAutomation[] = [];
    if (due.length === 0) return { firings, unreadable };
    const plans = new FiringPlans(due[0]!.now);
    for (const schedule of due) {
      const plan = this.planOf(plans, schedule);
      if (plan?.next) {
        const runId = newId('run');
        const span = this.spanOf(schedule, runId);
        firings.push({ schedule, runId, next: plan.next, missed: plan.missed, span });
      } else {
        const reason = 'its cron expression or time zone cannot be read any more';
        unreadable.push({ id: schedule.id, reason });
      }
    }
    return { firings, unreadable };
  }

  private spanOf({ id, workspaceId }: DueSchedule, runId: string): Span | null {
    return this.tracing.begin('schedule', {
      parent: null,
      facts: {
        'gatehouse.schedule.id': id,
        'gatehouse.workspace.id': workspaceId,
        'gatehouse.run.id': runId,
      },
    });
  }

  /** null: this version of the platform cannot read what an earlier one could. */
  private planOf(plans: FiringPlans, schedule: DueSchedule): FiringPlan | null {
    try {
      return plans.of(schedule);
    } catch (error) {
      this.logger.error(`The schedule ${schedule.id} cannot be read: ${String(error)}`);
      return null;
    }
  }
}

function orderOf({ schedule, runId: id, span }: Firing): AutomatedRunOrder {
  const origin = { interface: 'schedule', scheduleId: schedule.id } as const;
  return { ...schedule, id, problem: null, traceparent: span?.traceparent ?? null, origin };
}

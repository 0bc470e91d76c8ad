import { Injectable } from '@nestjs/common';

import { isAgent, type WorkspaceCaller } from '../core/access/index.js';
import type { LimitsOfRun } from '../core/config/index.js';
import { QuotaExceeded } from '../core/errors/index.js';
import { AgentBudgetsService } from './budgets/agent-budgets.service.js';
import { type CountedMeter, type Meter, METER_DESCRIPTIONS, METERS } from './meters.js';
import { PlanLimits } from './plan-limits.js';
import { type AskedOfRun, excessOf } from './run-limits.js';
import { type MeterReading, noticeOf, refusalOf } from './usage-notices.js';
import { usagePeriod } from './usage-period.js';
import type { WorkspaceUsageDto } from './usage.dto.js';
import { type Admission, type UsageRow, UsageRepository } from './usage.repository.js';
import type { RunLimits } from './usage.sql.js';

type AdmittedMeter = 'runs' | 'webhook_deliveries';

/** What is full where one of these may not be counted: without run seconds, no run starts. */
const LIMITED_BY: Record<AdmittedMeter, readonly Meter[]> = {
  runs: ['runs', 'run_seconds'],
  webhook_deliveries: ['webhook_deliveries'],
};

const NO_RUN_LIMITS = { maxMemory: null, maxCpus: null, maxProcesses: null, maxTimeout: null };

/** How many of a workspace's wishes were granted, and why the others were not. */
interface Grant {
  left: number;
  refusal: string | null;
}

/**
 * Counts what workspaces use, in the transaction that uses it, and holds them to the limits of their plan. Counting locks
 * the counter until the transaction ends, so it belongs near its end.
 */
@Injectable()
export class UsageService {
  constructor(
    private readonly repository: UsageRepository,
    private readonly plans: PlanLimits,
    private readonly agents: AgentBudgetsService,
  ) {}

  /** @throws QuotaExceeded where the amount would go beyond the limit; then nothing is counted */
  async consume(workspaceId: string, meter: CountedMeter, amount = 1): Promise<void> {
    const counted = await this.repository.consume({ workspaceId, meter, amount }, this.plans.limitsOf(meter));
    if (!counted) throw await this.refusal(workspaceId, [meter], amount);
  }

  /**
   * Counts one for each entry of `workspaceIds`, as far as the limits allow; entries at the beginning go first.
   *
   * @returns for each entry why it was not counted, or null if it was
   */
  async admit(meter: AdmittedMeter, workspaceIds: readonly string[]): Promise<(string | null)[]> {
    if (workspaceIds.length === 0) return [];
    const [limits, seconds] = [this.plans.limitsOf(meter), this.plans.limitsOf('run_seconds')];
    const grants = new Map<string, Grant>();
    for (const admission of await this.repository.admit(meter, workspaceIds, limits, seconds)) {
      grants.set(admission.workspaceId, await this.grant(meter, admission));
    }
    return workspaceIds.map((id) => {
      const grant = grants.get(id);
      if (!grant || grant.left === 0) return grant?.refusal ?? 'the workspace is gone';
      grant.left -= 1;
      return null;
    });
  }

  /**
   * Counts one for each entry of `workspaceIds` where no plan limits the meter, at the end of the surrounding transaction.
   * False: some plan does, so `admit` has to be asked.
   */
  async countUnlimited(meter: AdmittedMeter, workspaceIds: readonly string[]): Promise<boolean> {
    if (LIMITED_BY[meter].some((limiting) => this.plans.isLimited(limiting))) return false;
    await this.repository.countLast(meter, workspaceIds);
    return true;
  }

  /** Parameters of the statement that starts a run. */
  runLimits(): RunLimits {
    return { runLimits: this.plans.limitsOf('runs'), runSecondLimits: this.plans.limitsOf('run_seconds') };
  }

  /**
   * Counts runs for the budgets of whoever lets an agent start them.
   *
   * @throws QuotaExceeded
   */
  async useAgentRuns(caller: WorkspaceCaller, runs = 1): Promise<void> {
    if (isAgent(caller)) await this.agents.use(caller, { runs });
  }

  /** For a start of a run that `admitRun` did not let through. */
  runRefusal(workspaceId: string): Promise<QuotaExceeded> {
    return this.refusal(workspaceId, LIMITED_BY.runs);
  }

  /** What the plan of a workspace lets a single run have at most. */
  async limitsOfRun(workspaceId: string): Promise<LimitsOfRun> {
    return this.plans.limitRuns() ? this.plans.ofRun(await this.repository.planOf(workspaceId)) : {};
  }

  /** Why a plan does not let a run have what its version asks for, or null. */
  excessOfRun(plan: string, asked: AskedOfRun): string | null {
    return excessOf(asked, this.plans.ofRun(plan));
  }

  /** @throws QuotaExceeded where the plan does not let a run have what its version asks for */
  assertRunFits(plan: string, asked: AskedOfRun): void {
    const excess = this.excessOfRun(plan, asked);
    if (excess !== null) throw new QuotaExceeded(excess);
  }

  /**
   * Checks that there is room for more members, or for any more files. For members, to be called in the transaction in which
   * somebody joins: others who join wait until it ends.
   *
   * @throws QuotaExceeded
   */
  async assertRoom(workspaceId: string, meter: 'members' | 'storage_bytes', more = 1): Promise<void> {
    if (!this.plans.isLimited(meter)) return;
    const { plan, used } =
      meter === 'members'
        ? await this.repository.lockMembers(workspaceId)
        : await this.repository.storedBytes(workspaceId);
    const limit = this.plans.limit(plan, meter);
    if (limit !== null && used + more > limit) throw exceeded({ meter, used, limit }, more, new Date());
  }

  /**
   * Checks files of `bytes` that this transaction has just written: they are counted already.
   *
   * @throws QuotaExceeded
   */
  async assertStored(workspaceId: string, bytes: number): Promise<void> {
    if (!this.plans.isLimited('storage_bytes')) return;
    const { plan, used } = await this.repository.storedBytes(workspaceId);
    const limit = this.plans.limit(plan, 'storage_bytes');
    if (limit !== null && used > limit) {
      throw exceeded({ meter: 'storage_bytes', used: used - bytes, limit }, bytes, new Date());
    }
  }

  /** What a workspace has used, for people to see. */
  async report(caller: WorkspaceCaller): Promise<WorkspaceUsageDto> {
    const row = (await this.repository.find(caller.workspace.id))!;
    const { start, end } = usagePeriod(row.createdAt, row.periodStart);
    const readings = METERS.map((meter) => this.read(row, meter));
    const notices = readings.flatMap((reading) => noticeOf(reading, end) ?? []);
    return {
      periodStart: start.toISOString(),
      periodEnd: end.toISOString(),
      meters: readings.map(({ meter, used, limit }) => ({
        id: meter,
        description: METER_DESCRIPTIONS[meter],
        used,
        limit,
      })),
      eachRun: { ...NO_RUN_LIMITS, ...this.plans.ofRun(row.plan) },
      ...(notices.length > 0 && { notices }),
    };
  }

  private read({ plan, members, used }: UsageRow, meter: Meter): MeterReading {
    const amount = meter === 'members' ? members : (used[meter] ?? 0);
    return { meter, used: amount, limit: this.plans.limit(plan, meter) };
  }

  /** All that were wanted are counted by now: takes those back that are beyond the limit. */
  private async grant(meter: AdmittedMeter, admission: Admission): Promise<Grant> {
    const { workspaceId, wanted, limit, used } = admission;
    const tooMany = limit === null || used === null ? 0 : Math.min(wanted, Math.max(0, used - limit));
    if (tooMany > 0) await this.repository.giveBack({ workspaceId, meter, amount: tooMany });
    const left = used === null ? 0 : wanted - tooMany;
    if (left === wanted) return { left, refusal: null };
    return { left, refusal: (await this.refusal(workspaceId, LIMITED_BY[meter])).message };
  }

  /** Says which of the meters is full. */
  private async refusal(workspaceId: string, meters: readonly Meter[], more = 1): Promise<QuotaExceeded> {
    const row = await this.repository.find(workspaceId);
    if (!row) return new QuotaExceeded('The workspace is gone.');
    const readings = meters.map((meter) => this.read(row, meter));
    // None is where a limit was raised or a period ended since: then the first is named.
    const full = readings.find(({ used, limit }) => limit !== null && used + more > limit) ?? readings[0]!;
    return exceeded(full, more, usagePeriod(row.createdAt, row.periodStart).end);
  }
}

function exceeded(reading: MeterReading, more: number, periodEnd: Date): QuotaExceeded {
  return new QuotaExceeded(refusalOf(reading, more, periodEnd));
}

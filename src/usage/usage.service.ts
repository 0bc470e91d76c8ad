import { Injectable } from '@nestjs/common';

import { QuotaExceeded } from '../core/errors/problems.js';
import type { CountedMeter, Meter } from './meters.js';
import { Plans } from './plans.js';
import { type MeterReading, refusalOf } from './usage-notices.js';
import { usagePeriod } from './usage-period.js';
import { type Amount, type Counted, type UsageRow, UsageRepository } from './usage.repository.js';

export type { Amount } from './usage.repository.js';

/**
 * Counts what workspaces use, in the transaction that uses it, and keeps them to their plan. A counter is locked until
 * that transaction ends, so counting is one of the last things in it.
 */
@Injectable()
export class Usage {
  constructor(
    private readonly repository: UsageRepository,
    private readonly plans: Plans,
  ) {}

  /** @throws QuotaExceeded where it would go beyond the limit; nothing is counted then */
  async consume(workspaceId: string, meter: CountedMeter, amount = 1): Promise<void> {
    const taken = await this.repository.consume({ workspaceId, meter, amount }, this.plans.limitsOf(meter));
    if (!taken) throw await this.refusal(workspaceId, [meter], amount);
  }

  /** Counts, whatever the limits. Amounts of one workspace and meter are added up. */
  async consumeMany(amounts: readonly Amount[]): Promise<Counted[]> {
    return amounts.length === 0 ? [] : this.repository.consumeMany(amounts);
  }

  /**
   * Counts one of a meter for each entry, the first ones first, as far as the limits allow. Answers for each entry why it
   * was not counted, or null.
   */
  async admit(
    meter: 'runs' | 'webhook_deliveries',
    workspaceIds: readonly string[],
  ): Promise<(string | null)[]> {
    if (workspaceIds.length === 0) return [];
    const [limits, seconds] = [this.plans.limitsOf(meter), this.plans.limitsOf('run_seconds')];
    const admissions = await this.repository.admit(meter, workspaceIds, limits, seconds);
    const places = new Map<string, { left: number; refusal: string | null }>();
    for (const { workspaceId, wanted, limit, used } of admissions) {
      const tooMany = limit === null || used === null ? 0 : Math.min(wanted, Math.max(0, used - limit));
      if (tooMany > 0) await this.repository.giveBack([{ workspaceId, meter, amount: tooMany }]);
      const left = used === null ? 0 : wanted - tooMany;
      const meters: Meter[] = meter === 'runs' ? ['runs', 'run_seconds'] : [meter];
      const refusal = left < wanted ? (await this.refusal(workspaceId, meters)).message : null;
      places.set(workspaceId, { left, refusal });
    }
    return workspaceIds.map((id) => {
      const place = places.get(id);
      if (!place || place.left === 0) return place?.refusal ?? 'the workspace is gone';
      place.left -= 1;
      return null;
    });
  }

  /** What the statements of `usage.sql.ts` need to know about `runs` and `run_seconds`. */
  runLimits(): { runs: string; seconds: string } {
    return { runs: this.plans.limitsOf('runs'), seconds: this.plans.limitsOf('run_seconds') };
  }

  /**
   * That there is room for more members, or for any more files. For members to be called in the transaction in which
   * somebody joins: others wait until it ends.
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
   * That files just written in this transaction, which are counted already, are not too many.
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

  /** For a refused statement: which of these meters has reached its limit. */
  async refusal(workspaceId: string, meters: readonly Meter[], more = 1): Promise<QuotaExceeded> {
    const row = await this.repository.find(workspaceId);
    if (!row) return new QuotaExceeded('The workspace is gone.');
    const readings = meters.map((meter) => this.read(row, meter));
    // It may have been raised, or a period ended, since the statement was refused: then the first meter is as good.
    const full = readings.find(({ used, limit }) => limit !== null && used + more > limit) ?? readings[0]!;
    return exceeded(full, more, usagePeriod(row.createdAt, row.periodStart).end);
  }

  read({ plan, members, used }: UsageRow, meter: Meter): MeterReading {
    const amount = meter === 'members' ? members : (used[meter] ?? 0);
    return { meter, used: amount, limit: this.plans.limit(plan, meter) };
  }
}

function exceeded(reading: MeterReading, more: number, periodEnd: Date): QuotaExceeded {
  return new QuotaExceeded(refusalOf(reading, more, periodEnd));
}

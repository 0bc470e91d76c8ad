import { Injectable } from '@nestjs/common';

import {
  DEFAULT_PLAN,
  type LimitsOfRun,
  type Meter,
  type Plan,
  type PlanRetention,
  Settings,
} from '../core/config/index.js';

/** What the operator allows: by the plan of a workspace, or by the default one where its plan is not known (any more). */
@Injectable()
export class PlanLimits {
  constructor(private readonly settings: Settings) {}

  limit(plan: string, meter: Meter): number | null {
    return this.find(plan).limits[meter] ?? null;
  }

  /** For how many days a workspace's things of a kind are kept, by the name of its plan: `default` is one of them. */
  daysKept(kind: keyof PlanRetention): Record<string, number> {
    const days = [...this.settings.plans].map(([name, { retention }]) => [name, retention[kind]] as const);
    return Object.fromEntries(days);
  }

  /** Whether any plan limits a meter: if none does, there is nothing to look up. */
  isLimited(meter: Meter): boolean {
    return [...this.settings.plans.values()].some(({ limits }) => limits[meter] !== undefined);
  }

  /** A parameter for `limitIn`: each plan's limit of a meter, null for none. */
  limitsOf(meter: Meter): string {
    const limits = [...this.settings.plans].map(([name, { limits }]) => [name, limits[meter] ?? null]);
    return JSON.stringify(Object.fromEntries(limits));
  }

  /** The same for all meters: each plan's limits by meter. */
  limitsByMeter(): string {
    return JSON.stringify(
      Object.fromEntries([...this.settings.plans].map(([name, { limits }]) => [name, limits])),
    );
  }

  /** The most that a single run may use. */
  ofRun(plan: string): LimitsOfRun {
    return this.find(plan).ofRun;
  }

  /** Whether any plan says so: if none does, there is nothing to look up. */
  limitRuns(): boolean {
    return [...this.settings.plans.values()].some(({ ofRun }) => Object.keys(ofRun).length > 0);
  }

  private find(plan: string): Plan {
    return this.settings.plans.get(plan) ?? this.settings.plans.get(DEFAULT_PLAN)!;
  }
}

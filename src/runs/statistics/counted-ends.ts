import type { RunStatus } from '../run.status.js';
import { added, binOf } from './bins.js';
import type { RunStatistic, Unit } from './run-statistic.entity.js';

/** A run that has ended. */
export interface EndedRun {
  at: Date;
  scriptId: string;
  environmentId: string;
  version: number;
  status: RunStatus;
  durationMs: number | null;
  startedAt: Date;
  executionStartedAt: Date | null;
}

/** What it adds to its hour and its day. */
export function countedEnd(workspaceId: string, unit: Unit, run: EndedRun): RunStatistic {
  const { scriptId, environmentId, version, status, durationMs, startedAt, executionStartedAt } = run;
  const hasResult = status === 'succeeded' || status === 'failed';
  return {
    workspaceId,
    unit,
    at: beginning(unit, run.at),
    scriptId,
    environmentId,
    version,
    succeeded: Number(status === 'succeeded'),
    failed: Number(status === 'failed'),
    cancelled: Number(!hasResult),
    durations: hasResult && durationMs !== null ? { [binOf(durationMs)]: 1 } : {},
    waits:
      executionStartedAt === null ? {} : { [binOf(executionStartedAt.getTime() - startedAt.getTime())]: 1 },
  };
}

export function sumOf(one: RunStatistic, other: RunStatistic): RunStatistic {
  return {
    ...one,
    succeeded: one.succeeded + other.succeeded,
    failed: one.failed + other.failed,
    cancelled: one.cancelled + other.cancelled,
    durations: added(one.durations, other.durations),
    waits: added(one.waits, other.waits),
  };
}

/** One for each hour and day that there is among them. */
export function summed(statistics: readonly RunStatistic[]): RunStatistic[] {
  const sums = new Map<string, RunStatistic>();
  for (const one of statistics) {
    const { unit, at, scriptId, environmentId, version } = one;
    const key = [unit, at.getTime(), scriptId, environmentId, version].join(' ');
    const sum = sums.get(key);
    sums.set(key, sum ? sumOf(sum, one) : one);
  }
  return [...sums.values()];
}

export const UNIT_MS: Record<Unit, number> = { hour: 3_600_000, day: 86_400_000 };

/** Of the hour or day (UTC) in which a moment is. */
function beginning(unit: Unit, moment: Date): Date {
  return new Date(Math.floor(moment.getTime() / UNIT_MS[unit]) * UNIT_MS[unit]);
}

/** The beginnings of all that lie in a period, in their order. */
export function beginnings(unit: Unit, from: Date, until: Date): Date[] {
  const first = beginning(unit, from).getTime();
  const count = Math.max(0, Math.ceil((until.getTime() - first) / UNIT_MS[unit]));
  return Array.from({ length: count }, (_, place) => new Date(first + place * UNIT_MS[unit]));
}

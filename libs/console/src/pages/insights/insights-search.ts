export const INSIGHTS_AGES = ['day', 'week', 'month'] as const;
export type InsightsAge = (typeof INSIGHTS_AGES)[number];

/** Which runs a page of insights is about; it stands in its address. Nothing chosen: the last 24 hours of all. */
export interface InsightsSearch {
  /** Counted from now, or the first day of a period of one's own: `2026-11-26`. */
  since?: InsightsAge | (string & {});
  /** The last day of such a period. */
  until?: string;
  by?: Unit;
  script?: string;
  environment?: string;
}

export type Unit = 'hour' | 'day';

/** What the service is asked for. */
export interface Period {
  by: Unit;
  since: string;
  until?: string;
  /** By which it can be shown. */
  units: readonly Unit[];
}

export const UNIT_MS: Record<Unit, number> = { hour: 3_600_000, day: 86_400_000 };
const DAYS: Record<InsightsAge, number> = { day: 1, week: 7, month: 30 };
/** More buckets the service does not give. */
const MOST_BUCKETS = 744;
const MOST_HOURS_OF_ALL = 168;
const DATE = /^\d{4}-\d\d-\d\d$/;

/** What somebody wrote into the address by hand is used where it fits, and left out elsewhere. */
export function insightsSearchOf(search: Record<string, unknown>): InsightsSearch {
  const age = INSIGHTS_AGES.find((known) => known === search['since']);
  const since = age ?? dateOf(search['since']);
  const until = age === undefined && since !== undefined ? dateOf(search['until']) : undefined;
  const by = (['hour', 'day'] as const).find((known) => known === search['by']);
  const [script, environment] = [textOf(search['script']), textOf(search['environment'])];
  return {
    ...(since && { since }),
    ...(until && { until }),
    ...(by && { by }),
    ...(script && { script }),
    ...(environment && { environment }),
  };
}

/** Of one script there may be more hours than of all. Days are those of UTC, in which the service counts them. */
export function periodOf({ since, until, by, script }: InsightsSearch, now: number): Period {
  const mostHours = script === undefined ? MOST_HOURS_OF_ALL : MOST_BUCKETS;
  const age = INSIGHTS_AGES.find((known) => known === since) ?? (since === undefined ? 'day' : null);
  const days = age === null ? daysBetween(since!, until ?? since!) : DAYS[age];
  const units = (['hour', 'day'] as const).filter((unit) =>
    unit === 'hour' ? days * 24 <= mostHours : days > 1,
  );
  const unit = units.find((one) => one === by) ?? (days > 2 && units.includes('day') ? 'day' : units[0]!);
  if (age !== null) {
    const buckets = unit === 'hour' ? days * 24 : days;
    const first = Math.floor(now / UNIT_MS[unit]) * UNIT_MS[unit] - (buckets - 1) * UNIT_MS[unit];
    return { by: unit, since: isoOf(first), units };
  }
  const zone = unit === 'day' ? 'Z' : '';
  const first = Date.parse(`${since}T00:00:00${zone}`);
  const end = new Date(`${until ?? since}T00:00:00${zone}`);
  if (unit === 'day') end.setUTCDate(end.getUTCDate() + 1);
  else end.setDate(end.getDate() + 1);
  const last = Math.min(end.getTime(), first + MOST_BUCKETS * UNIT_MS[unit]);
  return { by: unit, since: isoOf(first), until: isoOf(Math.max(last, first + UNIT_MS[unit])), units };
}

const isoOf = (ms: number): string => new Date(ms).toISOString();

function daysBetween(first: string, last: string): number {
  const days = (Date.parse(`${last}T00:00:00Z`) - Date.parse(`${first}T00:00:00Z`)) / UNIT_MS.day;
  return Math.max(1, days + 1);
}

function dateOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || !DATE.test(value)) return undefined;
  return Number.isNaN(Date.parse(`${value}T00:00:00Z`)) ? undefined : value;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

import { type RunListSearch, ageOf, startOf } from './run-list-search.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const USUAL_MS = 7 * DAY_MS;
const LEAST_MS = DAY_MS;
/** More hours the service does not count at once, nor keep. */
const MOST_BY_HOUR_MS = 7 * DAY_MS;
const HOURS_KEPT_MS = 99 * DAY_MS;
const MOST_DAYS_MS = 700 * DAY_MS;

export interface HistogramWindow {
  by: 'hour' | 'day';
  since: string;
  /** Left out: now. */
  until?: string;
  /** What the list shows of it; null: all. */
  chosen: { since: number; until: number } | null;
}

/** The time that is drawn over a list of runs: what it shows, or the day around that where it is short. */
export function histogramWindow(
  { since, until }: Pick<RunListSearch, 'since' | 'until'>,
  at: number,
): HistogramWindow {
  // Ages are counted to the minute as well: a week is not a moment longer.
  const now = floor(at, MINUTE_MS);
  const age = ageOf(since);
  const to = until === undefined ? now : Math.min(now, Date.parse(until));
  const from = age ? Date.parse(startOf(age, now)) : since === undefined ? to - USUAL_MS : Date.parse(since);
  const span = Math.min(MOST_DAYS_MS, Math.max(0, to - from));
  const missing = Math.max(0, LEAST_MS - span);
  // As much before as after, but for what is yet to come.
  const after = Math.min(missing / 2, now - to);
  const [first, last] = [to - span - (missing - after), to + after];
  const by = span <= MOST_BY_HOUR_MS && first > now - HOURS_KEPT_MS ? 'hour' : 'day';
  const isOpen = last >= now;
  // Begun within an hour, a week has an hour more than there may be. One is to spare where the end moves on.
  const end = isOpen ? floor(now, HOUR_MS) + 2 * HOUR_MS : Math.ceil(last / HOUR_MS) * HOUR_MS;
  const earliest = by === 'hour' ? end - MOST_BY_HOUR_MS : first;
  return {
    by,
    since: minuteOf(Math.max(first, earliest)),
    ...(!isOpen && { until: minuteOf(last) }),
    chosen: missing > 0 ? { since: from, until: to } : null,
  };
}

/** So that the same question is asked only once in it. */
const minuteOf = (ms: number): string => new Date(floor(ms, MINUTE_MS)).toISOString();

const floor = (ms: number, unit: number): number => Math.floor(ms / unit) * unit;

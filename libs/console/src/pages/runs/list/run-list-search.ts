import type { Run } from '@gatehouse/client/operations';

export const RUN_STATUSES = ['awaiting_approval', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export const RUN_INTERFACES = ['app', 'api', 'cli', 'mcp', 'schedule', 'trigger', 'hook'] as const;
export const RUN_PLANS = ['true', 'false'] as const;
export const RUN_AGES = ['hour', 'day', 'week', 'month'] as const;

/** In seconds. They are offered, and others can stand in the address. */
export const RUN_DURATIONS = [1, 10, 60, 600, 3600] as const;

export type RunAge = (typeof RUN_AGES)[number];

/** Which runs are shown; it stands in the page's address. */
export interface RunListSearch {
  /** Words in them. */
  q?: string;
  /** Labels that they have, each its name or `name=value`. */
  label?: string[];
  script?: string;
  /** One or several, separated by commas. */
  status?: string;
  environment?: string;
  interface?: Run['interface'];
  /** Only plans, or none of them. */
  plan?: 'true' | 'false';
  /** A person's id. */
  by?: string;
  /** How long they took at least. */
  minSeconds?: number;
  /** How long ago they were asked for at most, or from which moment on. */
  since?: RunAge | (string & {});
  /** Before which moment they were asked for. */
  until?: string;
  scheduleId?: string;
  triggerId?: string;
  /** The id of what caused them. */
  causedBy?: string;
}

const HOURS: Record<RunAge, number> = { hour: 1, day: 24, week: 7 * 24, month: 30 * 24 };
/** As many as the service takes. */
const MOST_LABELS = 8;
const MOST_SECONDS = 7 * 24 * 3600;
const MOMENT = /^\d{4}-\d\d-\d\dT/;
const MINUTE_MS = 60_000;

/** What somebody wrote into the address by hand is used where it fits, and left out elsewhere. */
export function runListSearchOf(search: Record<string, unknown>): RunListSearch {
  const found = {
    q: textOf(search['q']),
    label: labelsOf(search['label']),
    script: textOf(search['script']),
    status: statusesOf(textOf(search['status'])).join(',') || undefined,
    environment: textOf(search['environment']),
    interface: RUN_INTERFACES.find((known) => known === search['interface']),
    plan: RUN_PLANS.find((known) => known === String(search['plan'])),
    by: textOf(search['by']),
    minSeconds: secondsOf(search['minSeconds']),
    since: RUN_AGES.find((known) => known === search['since']) ?? momentOf(search['since']),
    until: momentOf(search['until']),
    scheduleId: textOf(search['scheduleId']),
    triggerId: textOf(search['triggerId']),
    causedBy: textOf(search['causedBy']),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

/** Each once, in the order in which they are offered. */
export function statusesOf(status: string | undefined): Run['status'][] {
  const named = status?.split(',') ?? [];
  return RUN_STATUSES.filter((known) => named.includes(known));
}

/** The same as the service is asked for it. */
export function runListQuery({ by, since, ...rest }: RunListSearch, now: number) {
  const age = ageOf(since);
  return {
    ...rest,
    ...(by && { startedBy: by }),
    ...(since && { since: age ? startOf(age, now) : since }),
  };
}

/** null: `since` is a moment, or not there. */
export function ageOf(since: RunListSearch['since']): RunAge | null {
  return RUN_AGES.find((age) => age === since) ?? null;
}

/** To the minute, so that the same question is asked only once in it. */
export function startOf(age: RunAge, now: number): string {
  const at = now - HOURS[age] * 60 * MINUTE_MS;
  return new Date(Math.floor(at / MINUTE_MS) * MINUTE_MS).toISOString();
}

/** In an address that somebody writes, one is enough. */
function labelsOf(value: unknown): string[] | undefined {
  const labels = (Array.isArray(value) ? (value as unknown[]) : [value]).flatMap((one) => textOf(one) ?? []);
  return labels.length > 0 ? labels.slice(0, MOST_LABELS) : undefined;
}

function secondsOf(value: unknown): number | undefined {
  const seconds = Number(textOf(value));
  return Number.isInteger(seconds) && seconds > 0 && seconds <= MOST_SECONDS ? seconds : undefined;
}

export function momentOf(value: unknown): string | undefined {
  const ms = typeof value === 'string' && MOMENT.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

export function textOf(value: unknown): string | undefined {
  return (typeof value === 'string' || typeof value === 'number') && value !== '' ? String(value) : undefined;
}

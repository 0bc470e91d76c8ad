import type { Run } from '@gatehouse/client/operations';

export const RUN_STATUSES = ['awaiting_approval', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export const RUN_INTERFACES = ['app', 'api', 'cli', 'mcp', 'schedule', 'trigger', 'hook'] as const;
export const RUN_AGES = ['hour', 'day', 'week', 'month'] as const;

export type RunAge = (typeof RUN_AGES)[number];

/** Which runs are shown; it stands in the page's address. */
export interface RunListSearch {
  /** Words in them. */
  q?: string;
  /** Labels that they have, each its name or `name=value`. */
  label?: string[];
  script?: string;
  status?: Run['status'];
  environment?: string;
  interface?: Run['interface'];
  /** A person's id. */
  by?: string;
  since?: RunAge;
  scheduleId?: string;
  triggerId?: string;
  /** The id of what caused them. */
  causedBy?: string;
}

const HOURS: Record<RunAge, number> = { hour: 1, day: 24, week: 7 * 24, month: 30 * 24 };
/** As many as the service takes. */
const MOST_LABELS = 8;
const MINUTE_MS = 60_000;

/** What somebody wrote into the address by hand is used where it fits, and left out elsewhere. */
export function runListSearchOf(search: Record<string, unknown>): RunListSearch {
  const found = {
    q: textOf(search['q']),
    label: labelsOf(search['label']),
    script: textOf(search['script']),
    status: RUN_STATUSES.find((known) => known === search['status']),
    environment: textOf(search['environment']),
    interface: RUN_INTERFACES.find((known) => known === search['interface']),
    by: textOf(search['by']),
    since: RUN_AGES.find((known) => known === search['since']),
    scheduleId: textOf(search['scheduleId']),
    triggerId: textOf(search['triggerId']),
    causedBy: textOf(search['causedBy']),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

/** The same as the service is asked for it. */
export function runListQuery({ by, since, ...rest }: RunListSearch, now: number) {
  return { ...rest, ...(by && { startedBy: by }), ...(since && { since: startOf(since, now) }) };
}

/** To the minute, so that the same question is asked only once in it. */
function startOf(age: RunAge, now: number): string {
  const at = now - HOURS[age] * 60 * MINUTE_MS;
  return new Date(Math.floor(at / MINUTE_MS) * MINUTE_MS).toISOString();
}

/** In an address that somebody writes, one is enough. */
function labelsOf(value: unknown): string[] | undefined {
  const labels = (Array.isArray(value) ? (value as unknown[]) : [value]).flatMap((one) => textOf(one) ?? []);
  return labels.length > 0 ? labels.slice(0, MOST_LABELS) : undefined;
}

function textOf(value: unknown): string | undefined {
  return (typeof value === 'string' || typeof value === 'number') && value !== '' ? String(value) : undefined;
}

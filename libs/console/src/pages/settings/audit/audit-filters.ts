import type { AuditListData } from '@gatehouse/client/operations';

export type AuditAction = NonNullable<NonNullable<AuditListData['query']>['action']>;

/** What the audit log is narrowed to, as it stands in the address. */
export interface AuditFilters {
  action?: AuditAction;
  /** A person's user id. */
  actor?: string;
  /** The id of what was changed. */
  target?: string;
  /** A day, `2026-01-31`, from its beginning where the reader is. */
  since?: string;
  /** The last day of it. */
  until?: string;
}

/** Takes from an address what has the right form; whether it means something, the service says. */
export function auditFilters(search: Record<string, unknown>): AuditFilters {
  return {
    ...(typeof search['action'] === 'string' && { action: search['action'] as AuditAction }),
    ...(typeof search['actor'] === 'string' && { actor: search['actor'] }),
    ...(canBeTarget(search['target']) && { target: search['target'] }),
    ...(isDay(search['since']) && { since: search['since'] }),
    ...(isDay(search['until']) && { until: search['until'] }),
  };
}

export function auditQuery({ action, actor, target, since, until }: AuditFilters) {
  return {
    ...(action && { action }),
    ...(actor && { actor }),
    ...(target && { target }),
    ...(since && { since: new Date(`${since}T00:00`).toISOString() }),
    ...(until && { until: startOfNextDay(until).toISOString() }),
  };
}

function startOfNextDay(day: string): Date {
  const start = new Date(`${day}T00:00`);
  start.setDate(start.getDate() + 1);
  return start;
}

/** Runs say themselves who started them: the service does not look for theirs. */
export function canBeTarget(id: unknown): id is string {
  return typeof id === 'string' && /^(?!run_)[a-z][a-z0-9]{1,15}_[\w-]{1,64}$/.test(id);
}

function isDay(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    /^\d{4}-\d{2}-\d{2}$/.test(value) &&
    !Number.isNaN(new Date(`${value}T00:00`).getTime())
  );
}

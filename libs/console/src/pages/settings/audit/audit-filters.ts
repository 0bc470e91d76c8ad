import type { AuditListData } from '@gatehouse/client/operations';

export type AuditAction = NonNullable<NonNullable<AuditListData['query']>['action']>;

/** What the audit log is narrowed to, as it stands in the address. */
export interface AuditFilters {
  action?: AuditAction;
  /** A person's user id. */
  actor?: string;
  /** A day, `2026-01-31`, from its beginning where the reader is. */
  since?: string;
}

/** Takes from an address what has the right form; whether it means something, the service says. */
export function auditFilters(search: Record<string, unknown>): AuditFilters {
  return {
    ...(typeof search['action'] === 'string' && { action: search['action'] as AuditAction }),
    ...(typeof search['actor'] === 'string' && { actor: search['actor'] }),
    ...(isDay(search['since']) && { since: search['since'] }),
  };
}

export function auditQuery({ action, actor, since }: AuditFilters) {
  return {
    ...(action && { action }),
    ...(actor && { actor }),
    ...(since && { since: new Date(`${since}T00:00`).toISOString() }),
  };
}

function isDay(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    /^\d{4}-\d{2}-\d{2}$/.test(value) &&
    !Number.isNaN(new Date(`${value}T00:00`).getTime())
  );
}

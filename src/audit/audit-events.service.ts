import { Injectable } from '@nestjs/common';

import type { WorkspaceCaller } from '../core/access/index.js';
import { keysetPage, type Page, wholeList } from '../core/database/index.js';
import type { PageQuery } from '../core/http/index.js';
import { AuditActions } from './audit-actions.js';
import { shownDetails } from './audit-details.js';
import type { AuditEventQuery } from './audit-event-query.dto.js';
import type { AuditEventDto } from './audit-event.dto.js';
import { type AuditFilters, AuditRepository, type AuditRow } from './audit.repository.js';

type AuditQuery = Omit<AuditEventQuery, keyof PageQuery>;

/** Reads the audit trail. */
@Injectable()
export class AuditEventsService {
  constructor(
    private readonly events: AuditRepository,
    private readonly actions: AuditActions,
  ) {}

  list(caller: WorkspaceCaller, { limit, cursor, ...query }: AuditEventQuery): Promise<Page<AuditEventDto>> {
    const filters = filtersOf(caller, query);
    const { fetch, show } = this.reading(caller, filters);
    return keysetPage({ limit, cursor }, { list: 'audit-events', filters }, fetch, show);
  }

  /** All that fit, the newest first. */
  all(caller: WorkspaceCaller, query: AuditQuery): AsyncGenerator<AuditEventDto> {
    const { fetch, show } = this.reading(caller, filtersOf(caller, query));
    return wholeList(fetch, show);
  }

  private reading({ scriptChoice }: WorkspaceCaller, filters: AuditFilters) {
    return {
      fetch: (after: string | null, count: number) => this.events.list(filters, after, count),
      show: (row: AuditRow) => {
        // They name scripts that an app may not know of.
        const keys = scriptChoice === null ? this.actions.shownKeys(row.action) : [];
        return present(row, shownDetails(row.details, keys));
      },
    };
  }
}

const filtersOf = (
  { workspace }: WorkspaceCaller,
  { action, actor, target, since, until }: AuditQuery,
): AuditFilters => ({
  workspaceId: workspace.id,
  action,
  actor,
  target,
  since: since === undefined ? undefined : new Date(since),
  until: until === undefined ? undefined : new Date(until),
});

function present(row: AuditRow, details: Record<string, unknown>): AuditEventDto {
  return {
    id: row.id,
    action: row.action,
    actorType: row.actorType,
    credential: row.credentialType && { type: row.credentialType, name: row.credentialName },
    address: row.address,
    target: row.targetType && row.targetId ? { type: row.targetType, id: row.targetId } : null,
    actor: row.actorUserId && row.actorName ? { userId: row.actorUserId, name: row.actorName } : null,
    details,
    createdAt: row.createdAt.toISOString(),
  };
}

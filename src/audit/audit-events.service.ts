import { Injectable } from '@nestjs/common';

import type { WorkspaceCaller } from '../core/access/index.js';
import { keysetPage, type Page } from '../core/database/index.js';
import { AuditActions } from './audit-actions.js';
import { shownDetails } from './audit-details.js';
import type { AuditEventQuery } from './audit-event-query.dto.js';
import type { AuditEventDto } from './audit-event.dto.js';
import { AuditRepository, type AuditRow } from './audit.repository.js';

/** Reads the audit trail. */
@Injectable()
export class AuditEventsService {
  constructor(
    private readonly events: AuditRepository,
    private readonly actions: AuditActions,
  ) {}

  list(
    { workspace: { id: workspaceId }, scriptChoice }: WorkspaceCaller,
    { action, actor, since, ...request }: AuditEventQuery,
  ): Promise<Page<AuditEventDto>> {
    const filters = { workspaceId, action, actor, since: since === undefined ? undefined : new Date(since) };
    const fetch = (after: string | null, count: number) => this.events.list(filters, after, count);
    return keysetPage(request, { list: 'audit-events', filters }, fetch, (row) => {
      // They name scripts that an app may not know of.
      const keys = scriptChoice === null ? this.actions.shownKeys(row.action) : [];
      return present(row, shownDetails(row.details, keys));
    });
  }
}

function present(row: AuditRow, details: Record<string, unknown>): AuditEventDto {
  return {
    id: row.id,
    action: row.action,
    actorType: row.actorType,
    credential: row.credentialType && { type: row.credentialType, name: row.credentialName },
    target: row.targetType && row.targetId ? { type: row.targetType, id: row.targetId } : null,
    actor: row.actorUserId && row.actorName ? { userId: row.actorUserId, name: row.actorName } : null,
    details,
    createdAt: row.createdAt.toISOString(),
  };
}

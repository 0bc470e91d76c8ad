import { Injectable } from '@nestjs/common';

import { keysetPage, type Page } from '../core/database/index.js';
import type { AuditEventQuery } from './audit-event-query.dto.js';
import type { AuditEventDto } from './audit-event.dto.js';
import { AuditRepository, type AuditRow } from './audit.repository.js';

/** Reads the audit trail. */
@Injectable()
export class AuditEventsService {
  constructor(private readonly events: AuditRepository) {}

  list(
    workspaceId: string,
    { action, actor, since, ...request }: AuditEventQuery,
  ): Promise<Page<AuditEventDto>> {
    const filters = { workspaceId, action, actor, since: since === undefined ? undefined : new Date(since) };
    const fetch = (after: string | null, count: number) => this.events.list(filters, after, count);
    return keysetPage(request, { list: 'audit-events', filters }, fetch, present);
  }
}

function present(row: AuditRow): AuditEventDto {
  return {
    id: row.id,
    action: row.action,
    actorType: row.actorType,
    credential: row.credentialType && { type: row.credentialType, name: row.credentialName },
    target: row.targetType && row.targetId ? { type: row.targetType, id: row.targetId } : null,
    actor: row.actorUserId && row.actorName ? { userId: row.actorUserId, name: row.actorName } : null,
    createdAt: row.createdAt.toISOString(),
  };
}

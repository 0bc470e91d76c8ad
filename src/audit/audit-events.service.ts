import { Injectable } from '@nestjs/common';

import { type Page, type PageRequest, keysetPage } from '../core/database/page.js';
import type { AuditEventDto } from './audit-event.dto.js';
import { AuditRepository, type AuditRow } from './audit.repository.js';

/** Reads the audit trail. */
@Injectable()
export class AuditEvents {
  constructor(private readonly events: AuditRepository) {}

  list(workspaceId: string, request: PageRequest): Promise<Page<AuditEventDto>> {
    const fetch = (after: string | null, count: number) => this.events.list(workspaceId, after, count);
    return keysetPage(request, { list: 'audit-events', filters: { workspaceId } }, fetch, present);
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

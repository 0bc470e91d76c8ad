import { Injectable } from '@nestjs/common';

import type { Caller } from '../core/access/caller.js';
import { Database } from '../core/database/database.js';
import { named } from '../core/database/named-parameters.js';
import type { AuditActor, AuditEntry, AuditTarget } from './audit-entry.js';
import type { AuditAction } from './audit.actions.js';
import { auditEvents, givenAuditEvents, insertAuditEvents } from './insert-audit-events.sql.js';

const INSERT = named<{ auditEvents: string }>(insertAuditEvents(givenAuditEvents()));

/** Writes who changed what. To be called in the transaction of the change. */
@Injectable()
export class AuditTrail {
  constructor(private readonly database: Database) {}

  record(
    workspaceId: string,
    by: Caller | AuditActor,
    action: AuditAction,
    target: AuditTarget,
    details: Record<string, unknown> = {},
  ): Promise<void> {
    return this.recordMany([{ workspaceId, by, action, target, details }]);
  }

  /** Many entries in one statement. */
  async recordMany(entries: readonly AuditEntry[]): Promise<void> {
    if (entries.length === 0) return;
    await this.database.execute(...INSERT({ auditEvents: auditEvents(entries) }));
  }
}

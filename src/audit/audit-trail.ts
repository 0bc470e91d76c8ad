import { Injectable } from '@nestjs/common';

import type { Caller } from '../core/access/index.js';
import { Database } from '../core/database/index.js';
import { type AuditActor, type AuditEntry, type AuditTarget, auditEventOf } from './audit-entry.js';
import type { AuditAction } from './audit.actions.js';
import { insertGivenAuditEvents } from './insert-audit-events.sql.js';

/** Writes who changed what. To be called in the transaction of the change. */
@Injectable()
export class AuditTrail {
  constructor(private readonly database: Database) {}

  record(
    workspaceId: string | null,
    by: Caller | AuditActor,
    action: AuditAction,
    target: AuditTarget,
    details: Record<string, unknown> = {},
  ): Promise<void> {
    return this.recordMany([{ workspaceId, by, action, target, details }]);
  }

  recordMany(entries: readonly AuditEntry[]): Promise<void> {
    return this.database.insertLast(insertGivenAuditEvents, entries.map(auditEventOf));
  }
}

export { type AuditActor, type AuditEntry, SYSTEM, actorOf, inTheApp } from './audit-entry.js';
export {
  type AuditActionDefinition,
  type AuditActionSource,
  DefinesAuditActions,
} from './audit-action-source.js';
export { AuditActions } from './audit-actions.js';
export { AuditTrail } from './audit-trail.js';
export { type AuditAction } from './audit.actions.js';
export type { AuditEvent } from './audit-event.entity.js';
export { AuditModule } from './audit.module.js';
export { auditEvents, givenAuditEvents, insertAuditEvents } from './insert-audit-events.sql.js';

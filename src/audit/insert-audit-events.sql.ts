import { insertColumns, type TrailingInsert } from '../core/database/index.js';
import { AuditEvent } from './audit-event.entity.js';
import { type AuditEntry, auditEventOf } from './audit-entry.js';

const EVENT = insertColumns(
  AuditEvent,
  'id',
  'workspaceId',
  'action',
  'actorType',
  'actorUserId',
  'credentialType',
  'credentialName',
  'address',
  'targetType',
  'targetId',
  'details',
);

/**
 * Writes audit events within a larger statement.
 *
 * @param rows a query whose columns are those of `EVENT`, in that order
 */
export function insertAuditEvents(rows: string): string {
  return `INSERT INTO audit_events (${EVENT.columns}) ${rows}`;
}

/**
 * Rows for `insertAuditEvents`: those of the named parameter `:auditEvents`.
 *
 * @param made a relation with one row where they are to be written, and with none where not
 */
export function givenAuditEvents(made?: string): string {
  const given = EVENT.recordset(':auditEvents');
  return `SELECT ${EVENT.given} FROM ${made === undefined ? given : `${made}, ${given}`}`;
}

/** Writes the audit events of a parameter. */
export const insertGivenAuditEvents: TrailingInsert = (parameter) =>
  insertAuditEvents(`SELECT ${EVENT.given} FROM ${EVENT.recordset(parameter)}`);

/** The value of the parameter `:auditEvents`. */
export function auditEvents(entries: readonly AuditEntry[]): string {
  return JSON.stringify(entries.map(auditEventOf));
}

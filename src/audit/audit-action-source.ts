import { DiscoveryService } from '@nestjs/core';

/** Something that an extension does and writes down in the audit trail. */
export interface AuditActionDefinition {
  /** Dotted, `<extension>.…`; unique. */
  action: string;
  /** What has happened, in one sentence without a full stop: `/docs/audit` shows it. */
  description: string;
  /**
   * JSON Schema 2020-12 of `details`. By default there are none. Whoever reads the trail, an admin, gets the `properties` that it names.
   */
  details?: Record<string, unknown>;
}

/** What a class marked with `@DefinesAuditActions()` looks like. */
export interface AuditActionSource {
  readonly auditActions: readonly AuditActionDefinition[];
}

/**
 * An extension point: marks a provider whose `auditActions` may be recorded. They are collected when the application starts;
 * one that is defined twice, or whose schema cannot be used, stops the start.
 *
 * @example
 * ```ts
 * \@DefinesAuditActions()
 * export class TicketAuditActions implements AuditActionSource {
 *   readonly auditActions = [{ action: 'tickets.opened', description: 'Somebody opened a ticket' }];
 * }
 * ```
 */
export const DefinesAuditActions: () => ClassDecorator = DiscoveryService.createDecorator();

/** By what providers of that mark are found. */
export const AUDIT_ACTIONS_KEY = (DefinesAuditActions as unknown as { KEY: string }).KEY;

import { Injectable } from '@nestjs/common';

import { type AuditAction, AuditActions, AuditTrail, SYSTEM } from '../audit/index.js';
import type { WorkspaceCaller } from '../core/access/index.js';

/** What an extension writes down. */
export interface ExtensionAuditEntry {
  workspaceId: string;
  /** Who did it; `system` for what the extension does by itself. */
  by: WorkspaceCaller | 'system';
  /** One of the extension's own, as `@DefinesAuditActions()` defines them. */
  action: string;
  /** What it was done to: its kind, such as `ticket`, and its id. */
  target: { type: string; id: string };
  /** Fits the schema of the action. Never a secret. */
  details?: Record<string, unknown>;
}

/**
 * Writes into the audit trail of a workspace who did what.
 *
 * @example
 * ```ts
 * await this.audit.record({ workspaceId, by: caller, action: 'tickets.opened', target: { type: 'ticket', id } });
 * ```
 */
@Injectable()
export class Audit {
  /** @internal */
  constructor(
    private readonly actions: AuditActions,
    private readonly trail: AuditTrail,
  ) {}

  /**
   * Writes an entry in the surrounding transaction. Resolves when it is written.
   *
   * @throws Error where no extension defines the action, or the details do not fit its schema: nothing is written then
   */
  record({ workspaceId, by, action, target, details = {} }: ExtensionAuditEntry): Promise<void> {
    this.actions.assertFits(action, details);
    const actor = by === 'system' ? SYSTEM : by;
    return this.trail.record(workspaceId, actor, action as AuditAction, target, details);
  }
}

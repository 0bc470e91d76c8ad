import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';

import { DocsPages } from '../core/docs/index.js';
import { AuditActions } from './audit-actions.js';
import { AUDIT_ACTIONS } from './audit.actions.js';

/** `/docs/audit`: what each `action` of the audit trail means. */
@Injectable()
export class AuditDocs implements OnApplicationBootstrap {
  constructor(
    private readonly actions: AuditActions,
    private readonly pages: DocsPages,
  ) {}

  /** Once extensions have said what they add. */
  onApplicationBootstrap(): void {
    const added = this.actions.all().map(({ action, description }) => [action, description] as const);
    const known = [...Object.entries(AUDIT_ACTIONS), ...added];
    this.pages.register({
      slug: 'audit',
      title: 'Audit actions',
      introduction:
        '`GET /v1/workspace/audit-events` lists who changed what. Each event has one of these actions; new ones may come.',
      entries: known.map(([term, meaning]) => ({ term, text: `${meaning}.${this.detailsOf(term)}` })),
    });
  }

  private detailsOf(action: string): string {
    const keys = this.actions.shownKeys(action);
    return keys.length === 0 ? '' : ` Details: ${keys.map((key) => `\`${key}\``).join(', ')}.`;
  }
}

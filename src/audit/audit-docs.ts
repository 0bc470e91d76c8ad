import { Injectable, type OnModuleInit } from '@nestjs/common';

import { DocsPages } from '../core/docs/docs-pages.js';
import { AUDIT_ACTIONS } from './audit.actions.js';

/** `/docs/audit`: what each `action` of the audit trail means. */
@Injectable()
export class AuditDocs implements OnModuleInit {
  constructor(private readonly pages: DocsPages) {}

  onModuleInit(): void {
    this.pages.register({
      slug: 'audit',
      title: 'Audit actions',
      introduction:
        '`GET /v1/workspace/audit-events` lists who changed what. Each event has one of these actions; new ones may come.',
      entries: Object.entries(AUDIT_ACTIONS).map(([term, meaning]) => ({ term, text: `${meaning}.` })),
    });
  }
}

import { auditList } from '../generated/sdk.gen.js';
import type { AuditEvent, AuditListData } from '../generated/types.gen.js';
import type { Calls } from '../http/calls.js';
import type { Pages } from '../http/pages.js';
import type { CallOptions } from '../http/settings.js';

/** What was changed, and by whom. */
export class AuditEvents {
  constructor(private readonly calls: Calls) {}

  /** Newest first. */
  list(query?: AuditListData['query'], options?: CallOptions): Pages<AuditEvent> {
    return this.calls.list(auditList<true>, { query }, options);
  }
}

import { auditExport, auditList } from '../generated/sdk.gen.js';
import type { AuditEvent, AuditExportData, AuditListData } from '../generated/types.gen.js';
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

  /** The newest 100,000 that fit, as lines of JSON or as CSV: `response.body` as a stream. */
  export(query?: AuditExportData['query'], options?: CallOptions): Promise<Response> {
    return this.calls.open(auditExport<true>, { query }, options);
  }
}

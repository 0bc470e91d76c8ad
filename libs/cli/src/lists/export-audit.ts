import type { Context } from '../context.js';
import { momentOf } from '../general/moment.js';
import { exportFormat } from '../output/export-format.js';
import { writeBody } from '../output/write-body.js';

/** The audit trail from one time to another, to standard output. */
export default async function exportAudit({
  options,
  gatehouse,
}: Context<{ since?: string; until?: string; target?: string; format: string }>): Promise<void> {
  const query = {
    ...(options.since !== undefined && { since: momentOf('--since', options.since) }),
    ...(options.until !== undefined && { until: momentOf('--until', options.until) }),
    ...(options.target !== undefined && { target: options.target }),
    format: exportFormat(options.format),
  };
  await writeBody(await (await gatehouse()).auditEvents.export(query));
}

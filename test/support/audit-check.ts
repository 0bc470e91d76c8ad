import pg from 'pg';

import { AUDIT_DETAILS } from '../../src/audit/audit-details.js';
import type { AuditAction } from '../../src/audit/audit.actions.js';
import type { FileOfWorkspace } from './workspace-files.js';

/**
 * Checks that of every key of details that the tests have caused it was decided whether it is shown.
 *
 * @returns one line for each action and key of which it was not, with the test file
 */
export async function checkAuditDetails(databaseUrl: string, fileOf: FileOfWorkspace): Promise<string[]> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  try {
    const { rows } = await pool.query<{ action: string; key: string; workspace: string | null }>(
      `SELECT action, jsonb_object_keys(details) AS key, min(workspace_id) AS workspace
       FROM audit_events GROUP BY 1, 2 ORDER BY 1, 2`,
    );
    const undecided = rows.filter(({ action, key }) => {
      // Those of an earlier version, and of a test that wrote them by hand.
      if (!Object.hasOwn(AUDIT_DETAILS, action)) return false;
      const { shown, kept = [] } = AUDIT_DETAILS[action as AuditAction];
      return !shown.includes(key) && !kept.includes(key);
    });
    return undecided.map(
      ({ action, key, workspace }) =>
        `src/audit/audit-details.ts does not say whether ${key} of ${action} is shown: ${fileOf(workspace)}`,
    );
  } finally {
    await pool.end();
  }
}

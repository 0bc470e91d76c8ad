import pg from 'pg';

import { AUDIT_DETAILS } from '../../src/audit/audit-details.js';
import type { AuditAction } from '../../src/audit/audit.actions.js';

/**
 * Whether every key of details that the tests have caused is one of which it was decided whether it is shown.
 *
 * @throws Error naming each action with the key
 */
export async function checkAuditDetails(databaseUrl: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  try {
    const { rows } = await pool.query<{ action: string; key: string }>(
      'SELECT DISTINCT action, jsonb_object_keys(details) AS key FROM audit_events ORDER BY action, key',
    );
    const undecided = rows.filter(({ action, key }) => {
      // Those of an earlier version, and of a test that wrote them by hand.
      if (!Object.hasOwn(AUDIT_DETAILS, action)) return false;
      const { shown, kept = [] } = AUDIT_DETAILS[action as AuditAction];
      return !shown.includes(key) && !kept.includes(key);
    });
    if (undecided.length === 0) return;
    const lines = undecided.map(({ action, key }) => `  ${action}: ${key}`).join('\n');
    throw new Error(`src/audit/audit-details.ts does not say of these whether they are shown:\n${lines}`);
  } finally {
    await pool.end();
  }
}

import { createHash } from 'node:crypto';

import type { TestWorkspace } from '../../../../libs/testing/index.js';
import { database } from '../../../support/gatehouse.js';

/** What the service itself changes as time goes by. */
const BOOKKEEPING = [
  'address',
  'consecutive_failures',
  'dispatch_after',
  'dispatched_at',
  'last_attempt_at',
  'last_status',
  'last_used_address',
  'last_used_at',
  'lease_until',
  'worker_id',
];

/** What runs that have ended are counted in, a moment later. */
const COUNTED_LATER = ['error_sightings', 'run_end_sightings', 'run_statistics'];

/** Tables whose rows tell their workspace by another row: by which column, of which table. */
const PARTS: Record<string, [column: string, table: string]> = {
  script_versions: ['script_id', 'scripts'],
  secret_values: ['secret_id', 'secrets'],
  team_members: ['team_id', 'teams'],
};

/** A fingerprint of each table's rows of a workspace and of its owner's tokens: whoever changes anything changes it. */
export async function snapshotOf({ id, owner }: TestWorkspace): Promise<Record<string, string>> {
  const sql = database();
  const { rows: tables } = await sql.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name = 'workspace_id' AND table_name <> ALL($1::text[])`,
    [COUNTED_LATER],
  );
  const conditions = [
    ['workspaces', 'id = $1'],
    ['users', `id = '${owner.id}'`],
    ['sessions', `user_id = '${owner.id}'`],
    ['personal_tokens', `user_id = '${owner.id}'`],
    ...tables.map(({ name }) => [name, 'workspace_id = $1']),
    ...Object.entries(PARTS).map(([name, [column, parent]]) => [
      name,
      `${column} IN (SELECT id FROM ${parent} WHERE workspace_id = $1)`,
    ]),
  ];
  const queries = conditions.map(
    ([name, condition]) =>
      `SELECT '${name}' AS name, string_agg((to_jsonb(t) - $2::text[])::text, ' ' ORDER BY to_jsonb(t)::text) AS rows
       FROM ${name} t WHERE ${condition}`,
  );
  const { rows } = await sql.query<{ name: string; rows: string | null }>(queries.join(' UNION ALL '), [
    id,
    BOOKKEEPING,
  ]);
  const sorted = rows.sort((one, other) => (one.name < other.name ? -1 : 1));
  return Object.fromEntries(sorted.map(({ name, rows: content }) => [name, digest(content ?? '')]));
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);

import pg from 'pg';

import { createClient } from '../../libs/testing/index.js';

/** Of `first-run.json`. */
export const FIELDS = ['apiKey', 'baseUrl', 'email', 'password', 'personalAccessToken', 'workspace'];

export type Credentials = Record<string, string>;

export const ownerOf = ({ baseUrl, personalAccessToken: token, workspace }: Credentials) =>
  createClient({ baseUrl: baseUrl!, token: token!, workspace: workspace! });

export const ONE_OF_EACH = {
  users: 1,
  workspaces: 1,
  memberships: 1,
  environments: 1,
  api_keys: 1,
  personal_tokens: 1,
  scripts: 1,
  script_versions: 1,
};

const pools = new Map<string, pg.Pool>();

/** None where the table is not there yet. */
export async function count(databaseUrl: string, table: string): Promise<number> {
  const pool =
    pools.get(databaseUrl) ?? new pg.Pool({ connectionString: databaseUrl, max: 1, allowExitOnIdle: true });
  pools.set(databaseUrl, pool);
  const { rows } = await pool.query('SELECT to_regclass($1) AS table', [table]);
  if (rows[0].table === null) return 0;
  return Number((await pool.query<{ count: string }>(`SELECT count(*) FROM ${table}`)).rows[0]!.count);
}

/** How many there are of everything that a first start makes. */
export async function inventory(databaseUrl: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of Object.keys(ONE_OF_EACH)) counts[table] = await count(databaseUrl, table);
  return counts;
}

import type pg from 'pg';

interface Column {
  name: string;
  type: string;
  /** What a check lets it be; null: it has no list. */
  choice: string | null;
  /** Where its value has to be from. */
  table: string | null;
  column: string | null;
}

/** Values that fit each type. */
const VALUES: Record<string, string> = {
  boolean: 'false',
  bytea: String.raw`\x00`,
  date: 'today',
  json: '{}',
  jsonb: '{}',
  'text[]': '{}',
  'timestamp with time zone': 'now',
  uuid: '00000000-0000-4000-8000-000000000000',
};

/** Gives every table a row that has none: whatever a migration does to it is then done to something. */
export async function fillEmptyTables(client: pg.Client, tables: readonly string[]): Promise<void> {
  const problems: string[] = [];
  for (let left = [...tables]; left.length > 0;) {
    const still: string[] = [];
    problems.length = 0;
    for (const table of left) {
      await fillTable(client, table).catch((error: unknown) => {
        still.push(table);
        problems.push(`${table}: ${(error as Error).message}`);
      });
    }
    // Each may have waited for a row of another.
    if (still.length === left.length) throw new Error(`These tables have no row:\n${problems.join('\n')}`);
    left = still;
  }
}

async function fillTable(client: pg.Client, table: string): Promise<void> {
  const { rows } = await client.query<Column>(NEEDED, [table]);
  const values = rows.map(({ name, type, choice, table: from, column }) => {
    if (from !== null) return `(SELECT "${column}" FROM "${from}" LIMIT 1)`;
    return `'${choice ?? VALUES[type] ?? (/int|numeric|double/.test(type) ? '1' : `${table}-${name}`)}'::${type}`;
  });
  const names = rows.map(({ name }) => `"${name}"`);
  await client.query(`INSERT INTO "${table}" (${names.join(', ')}) VALUES (${values.join(', ')})`);
}

/** The columns that an insert has to name. */
const NEEDED = `
  SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type,
    (SELECT substring(pg_get_constraintdef(k.oid) FROM $q$'([^']+)'$q$) FROM pg_constraint k
      WHERE k.conrelid = a.attrelid AND k.contype = 'c' AND k.conkey = ARRAY[a.attnum]
        AND pg_get_constraintdef(k.oid) ~ 'ANY|= ''' LIMIT 1) AS choice,
    f.confrelid::regclass::text AS "table",
    (SELECT attname FROM pg_attribute WHERE attrelid = f.confrelid AND attnum = f.confkey[array_position(f.conkey, a.attnum)]) AS "column"
  FROM pg_attribute a
    LEFT JOIN LATERAL (SELECT * FROM pg_constraint
      WHERE contype = 'f' AND conrelid = a.attrelid AND a.attnum = ANY(conkey) LIMIT 1) f ON true
  WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
    AND a.attnotnull AND NOT a.atthasdef AND a.attidentity = ''
  ORDER BY a.attnum`;

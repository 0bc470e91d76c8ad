/**
 * What migrations say and entities cannot: the check knows of it, everything else must be the same in both. Functions and
 * triggers are not compared, since no entity could have them.
 */
const BEYOND_ENTITIES = {
  /** Pages that are left free for updates in place. */
  fillFactors: [
    'rate_buckets',
    'schedules',
    'script_activity',
    'script_people',
    'triggers',
    'usage_counters',
    'webhook_endpoints',
  ],
  /** Tables whose rows a crash of the database may lose. */
  unlogged: ['rate_buckets'],
  /** Tables of TypeORM and of the queue. */
  others: ['migrations', 'typeorm_metadata'],
};

/** The tables of a schema as lines of text, in PostgreSQL's own words. */
export async function catalogue(source) {
  const schema = source.options.schema ?? 'public';
  const rows = await source.query(CATALOGUE, [schema, BEYOND_ENTITIES.others]);
  return rows
    .map(({ line }) => line.replaceAll(`${schema}.`, '').replace(/ default '(\d+)'::\w+/, ' default $1'))
    .filter((line) => !isBeyondEntities(line));
}

function isBeyondEntities(line) {
  const { fillFactors, unlogged } = BEYOND_ENTITIES;
  return (
    fillFactors.some((table) => line.startsWith(`${table} with fillfactor=`)) ||
    unlogged.some((table) => line === `${table} is unlogged`)
  );
}

const CATALOGUE = `
  WITH tables AS (
    SELECT c.* FROM pg_class c
    WHERE c.relnamespace = $1::text::regnamespace AND c.relkind = 'r' AND c.relname <> ALL ($2::text[])
      AND c.relname NOT LIKE 'bull%'
  )
  SELECT format('%s.%s %s%s%s%s%s', t.relname, a.attname, format_type(a.atttypid, a.atttypmod),
      CASE WHEN a.attnotnull THEN ' not null' END,
      CASE WHEN o.collname <> 'default' THEN ' collate ' || o.collname END,
      CASE WHEN d.adbin IS NOT NULL THEN ' default ' || pg_get_expr(d.adbin, d.adrelid) END,
      a.attgenerated::text || a.attidentity::text) AS line
  FROM tables t JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_attrdef d ON d.adrelid = t.oid AND d.adnum = a.attnum
    LEFT JOIN pg_collation o ON o.oid = a.attcollation
  UNION ALL
  SELECT format('%s constraint %s %s', t.relname, k.conname, pg_get_constraintdef(k.oid))
  FROM tables t JOIN pg_constraint k ON k.conrelid = t.oid WHERE k.contype <> 'n'
  UNION ALL
  SELECT pg_get_indexdef(i.indexrelid) FROM tables t JOIN pg_index i ON i.indrelid = t.oid
  UNION ALL
  SELECT format('%s with %s', t.relname, option) FROM tables t, unnest(t.reloptions) AS option
  UNION ALL
  SELECT format('%s is unlogged', t.relname) FROM tables t WHERE t.relpersistence = 'u'`;

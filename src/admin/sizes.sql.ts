/*
 * SQL, since it reads what PostgreSQL knows of its tables: their files' sizes, and the estimates that it plans statements by.
 * Nothing of it reads a table, so it takes as long on a large database as on a small one.
 */

const OURS = `c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'`;

/** Bytes with indexes and what is stored out of line; estimated rows, null where the table was not analyzed yet. */
export const TABLE_SIZES = `
  SELECT c.relname AS "table", pg_total_relation_size(c.oid) AS bytes, pg_indexes_size(c.oid) AS "indexBytes",
    CASE WHEN c.reltuples >= 0 THEN c.reltuples::bigint END AS rows
  FROM pg_class c WHERE ${OURS} ORDER BY bytes DESC, "table"`;

/** The bytes of each table that are a workspace's, by how often the workspace was found in a sample of its rows. */
export const WORKSPACE_SIZES = `
  WITH shares AS (
    SELECT c.relname AS name, common.id, common.share * pg_total_relation_size(c.oid) AS bytes
    FROM pg_stats s JOIN pg_class c ON c.relname = s.tablename AND ${OURS}
      CROSS JOIN LATERAL unnest(s.most_common_vals::text::text[], s.most_common_freqs) AS common (id, share)
    WHERE s.schemaname = current_schema() AND s.attname = 'workspace_id'
  ), files AS (
    SELECT workspace_id AS id, used AS bytes FROM usage_counters WHERE meter = 'storage_bytes' AND period_start = 'epoch'
  ), sums AS (
    SELECT id, sum(bytes)::bigint AS bytes, (array_agg(name ORDER BY bytes DESC))[1] AS largest FROM shares GROUP BY id
  )
  SELECT w.id, w.slug, coalesce(t.bytes, 0) AS "tableBytes", coalesce(f.bytes, 0) AS "fileBytes", t.largest
  FROM sums t FULL JOIN files f USING (id) JOIN workspaces w USING (id)
  ORDER BY coalesce(t.bytes, 0) + coalesce(f.bytes, 0) DESC, w.id LIMIT $1`;

/** Ids of a table at even distances, as a sample of its rows has them. They begin with the time. */
export const AGE_SAMPLES = `
  SELECT c.relname AS "table", s.histogram_bounds::text::text[] AS ids, pg_total_relation_size(c.oid) AS bytes
  FROM pg_stats s JOIN pg_class c ON c.relname = s.tablename AND ${OURS}
  WHERE s.schemaname = current_schema() AND s.histogram_bounds IS NOT NULL
    AND (s.tablename, s.attname) IN (('runs', 'id'), ('run_log_chunks', 'run_id'), ('files', 'id'), ('events', 'id'),
      ('webhook_deliveries', 'id'), ('webhook_attempts', 'delivery_id'), ('audit_events', 'id'), ('approval_requests', 'id'))
  ORDER BY bytes DESC`;

/**
 * $1 workspace, $2 type of events, $3 environment or null for any, $4 the trigger. One reading counts by the script that each
 * filter names, by its id or slug. A filter that names no script, or one by another field, is for any.
 */
export const COUNT_TOGETHER = `
  WITH waiting AS (
    SELECT t.id, COALESCE(t.filter ->> 'script.id', s.id, t.filter ->> 'script.slug') AS script
    FROM triggers t LEFT JOIN scripts s ON s.workspace_id = t.workspace_id AND s.slug = t.filter ->> 'script.slug'
    WHERE t.workspace_id = $1 AND t.event_type = $2 AND t.enabled AND ($3::text IS NULL OR t.environment_id = $3)
  ), own AS (
    SELECT script FROM waiting WHERE id = $4
  ), of_scripts AS (
    SELECT count(*) AS count FROM waiting w, own
    WHERE w.script IS NOT NULL AND (own.script IS NULL OR w.script = own.script) GROUP BY w.script
  )
  SELECT ((SELECT count(*) FROM waiting WHERE script IS NULL) + COALESCE((SELECT max(count) FROM of_scripts), 0))::int AS count
  FROM own`;

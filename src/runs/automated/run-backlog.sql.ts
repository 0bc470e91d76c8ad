export interface Backlog {
  workspaceId: string;
  runs: number;
  /** As they are stored. */
  bytes: number;
}

/**
 * $1 workspaces, $2 the most that are counted. What waits, whoever ordered it: each part is one range of an index, and no
 * input is read, however large.
 */
export const COUNT_BACKLOGS = `
  SELECT w.id AS "workspaceId", b.runs, b.bytes FROM unnest($1::text[]) AS w(id) CROSS JOIN LATERAL (
    SELECT count(*)::int AS runs, COALESCE(sum(size), 0)::float8 AS bytes FROM (
      (SELECT pg_column_size(inputs) AS size FROM runs WHERE workspace_id = w.id AND phase = 'queued' LIMIT $2)
      UNION ALL
      (SELECT pg_column_size(inputs) FROM runs WHERE workspace_id = w.id AND phase = 'waiting' LIMIT $2)
      UNION ALL
      (SELECT pg_column_size(inputs) FROM runs WHERE workspace_id = w.id AND phase = 'delayed' AND debounce_key IS NOT NULL LIMIT $2)
      UNION ALL
      (SELECT pg_column_size(inputs) FROM runs WHERE workspace_id = w.id AND status = 'awaiting_approval' LIMIT $2)) AS r) AS b`;

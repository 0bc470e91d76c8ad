/** Days for which entries are collected after the last process with the setting has ended. */
const WANTED_DAYS = 7;
const LEASE_SECONDS = 30;

/**
 * SQL: an upsert that only the holder of the lease gets through, or whoever comes after it. $1 the process. Two that send for
 * a moment send the same numbers twice, which a receiver sees; so the lease needs no fence.
 */
export const HOLD_SINK = `
  INSERT INTO log_sinks AS s (id, wanted_until, worker_id, lease_until)
  VALUES ('sink', now() + interval '${WANTED_DAYS} days', $1, now() + interval '${LEASE_SECONDS} seconds')
  ON CONFLICT (id) DO UPDATE SET wanted_until = excluded.wanted_until, worker_id = excluded.worker_id,
    lease_until = excluded.lease_until
  WHERE s.worker_id = excluded.worker_id OR s.worker_id IS NULL OR s.lease_until < now()`;

/** SQL: each row gets a number of its own, right after the last one. To be called with the sink's row locked. $1 how many at most. */
export const NUMBER_ENTRIES = `
  WITH new AS (
    SELECT id FROM log_sink_entries WHERE number IS NULL ORDER BY id LIMIT $1
  ), numbered AS (
    UPDATE log_sink_entries e SET number = s.last_number + placed.place
    FROM log_sinks s, (SELECT id, row_number() OVER (ORDER BY id) AS place FROM new) AS placed
    WHERE s.id = 'sink' AND e.id = placed.id RETURNING e.number
  )
  UPDATE log_sinks SET last_number = last_number + (SELECT count(*) FROM numbered) WHERE id = 'sink'`;

/** An entry as it is sent, in JSON. Of a run's end, nothing that a script has written. */
export const NEXT_ENTRIES = `
  SELECT e.number, e.created_at AS "createdAt", jsonb_build_object('number', e.number, 'id', e.id) || CASE
      WHEN a.id IS NOT NULL THEN jsonb_build_object('kind', 'audit', 'time', a.created_at,
        'workspaceId', a.workspace_id, 'action', a.action, 'actor', jsonb_build_object('type', a.actor_type,
          'userId', a.actor_user_id, 'credentialType', a.credential_type, 'credentialName', a.credential_name),
        'target', jsonb_build_object('type', a.target_type, 'id', a.target_id), 'details', a.details)
      WHEN v.id IS NOT NULL THEN jsonb_build_object('kind', 'run', 'time', v.created_at,
        'workspaceId', v.workspace_id, 'action', v.type, 'run', v.data - 'error')
      ELSE jsonb_build_object('kind', 'deleted', 'time', e.created_at) END AS record
  FROM log_sink_entries e LEFT JOIN audit_events a ON a.id = e.id LEFT JOIN events v ON v.id = e.id
  WHERE e.number IS NOT NULL ORDER BY e.number LIMIT $1`;

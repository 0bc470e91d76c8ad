/** SQL, since lines are stored in chunks, which are cut to measure here. $1 run, $2 after, $3 limit. */
export const READ_LINES = `SELECT (c.first_line + l.place - 1)::int AS number, l.line, c.written_at AS "at"
   FROM (
     SELECT first_line, lines, written_at FROM run_log_chunks
     WHERE run_id = $1 AND first_line >= COALESCE((
       SELECT max(first_line) FROM run_log_chunks WHERE run_id = $1 AND first_line <= $2), 0)
     ORDER BY first_line LIMIT $3 + 1
   ) AS c
   CROSS JOIN LATERAL unnest(c.lines) WITH ORDINALITY AS l(line, place)
   WHERE c.first_line + l.place - 1 >= $2
   ORDER BY c.first_line, l.place LIMIT $3`;

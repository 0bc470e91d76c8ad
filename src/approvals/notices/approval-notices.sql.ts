import { columns } from '../../core/database/index.js';
import { mayDecide } from '../who-may-decide.js';
import { ApprovalNotice } from './approval-notice.entity.js';

export const CLAIMED = columns(
  ApprovalNotice,
  'n',
  'id',
  'channel',
  'requestIds',
  'secondPersonIds',
  'attempts',
);

/** SQL: so many of each channel, in one statement of every process every two seconds. */
export const CLAIM = `
  UPDATE approval_notices n SET attempts = attempts + 1, due_at = now() + $3::integer * interval '1 second'
  WHERE id IN (
    SELECT due.id FROM unnest($1::text[], $2::integer[]) AS c (channel, room), LATERAL (
      SELECT w.id FROM approval_notices w WHERE w.channel = c.channel AND w.due_at <= now()
      ORDER BY w.due_at LIMIT c.room FOR UPDATE SKIP LOCKED) AS due)
  RETURNING ${CLAIMED}`;

/** Of the first ids of each group: a summary may have 30 KB, so that no more of them are read than are told. */
const FIRST_REQUESTS = `
  (SELECT json_agg(json_build_object('id', r.id, 'title', r.title, 'summary', r.summary, 'reason', r.reason,
    'askedBy', asker.name, 'environment', e.name) ORDER BY r.id)
  FROM approval_requests r
    LEFT JOIN environments e ON e.id = r.environment_id AND e.deleted_at IS NULL
    LEFT JOIN users asker ON asker.id = r.requested_by_user_id
  WHERE r.id = ANY(known.ids[1:10])) AS requests`;

const IDS = 'array_agg(a.id ORDER BY a.id) AS ids';

const ARE_PENDING = `a.id = ANY($1::text[]) AND a.status = 'pending' AND a.expires_at > now()`;

/** SQL, as the next one: they put together as many requests as are told, and count the others. */
export const PENDING = `
  SELECT w.slug, w.name, cardinality(ids) AS count, ${FIRST_REQUESTS}
  FROM (SELECT a.workspace_id, ${IDS} FROM approval_requests a WHERE ${ARE_PENDING} GROUP BY a.workspace_id) AS known
    JOIN workspaces w ON w.id = known.workspace_id`;

export const PEOPLE = `
  SELECT u.email, u.name, cardinality(ids) AS count, ${FIRST_REQUESTS}
  FROM (
    SELECT m.user_id, ${IDS} FROM approval_requests a JOIN memberships m ON m.workspace_id = a.workspace_id
    WHERE ${ARE_PENDING} AND ${mayDecide({ request: 'a', role: 'm.role', user: 'm.user_id' })}
      AND NOT (a.id = ANY($2::text[]) AND a.behind_user_id IS NOT DISTINCT FROM m.user_id)
    GROUP BY m.user_id) AS known
    JOIN users u ON u.id = known.user_id`;

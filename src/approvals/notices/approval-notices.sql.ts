import { LIVE_MEMBERSHIPS } from '../../core/access/index.js';
import { columns } from '../../core/database/index.js';
import { mayDecide } from '../who-may-decide.js';
import { ApprovalNotice } from './approval-notice.entity.js';

export const CLAIMED = columns(
  ApprovalNotice,
  'n',
  'id',
  'noticeId',
  'workspaceId',
  'channel',
  'requestIds',
  'secondPersonIds',
  'attempts',
);

/** A channel tells of a workspace once a minute; after a pause so often at once. */
const BURST = 5;
/** So many are told together. */
const MOST_TOGETHER = 1_000;

/** Whose turn it is. One that is tried again is told with what it was told with before, and takes no turn. */
const GROUP = `COALESCE(w.notice_id, w.workspace_id, w.id)`;
const HAS_TURN = `(w.notice_id IS NOT NULL OR NOT EXISTS (
      SELECT FROM approval_notice_turns t WHERE t.workspace_id = w.workspace_id AND t.channel = w.channel
        AND t.next_at > now() + interval '${BURST - 1} minutes'))`;

/**
 * $1 channels, $2 how many workspaces each has room for, $3 seconds. All that waits of a workspace is taken at once, and told as
 * one. SQL: a claim that takes turns, in one statement of every process every two seconds.
 */
export const CLAIM = `
  WITH due AS MATERIALIZED (
    SELECT c.channel, d.* FROM unnest($1::text[], $2::integer[]) AS c (channel, room), LATERAL (
      SELECT ${GROUP} AS together, max(w.workspace_id) FILTER (WHERE w.notice_id IS NULL) AS turn_of, min(w.due_at) AS since
      FROM approval_notices w WHERE w.channel = c.channel AND w.due_at <= now() AND ${HAS_TURN}
      GROUP BY 1 ORDER BY since LIMIT c.room) AS d
  ), turns AS (
    INSERT INTO approval_notice_turns AS t (workspace_id, channel, next_at)
    SELECT turn_of, channel, now() + interval '1 minute' FROM due WHERE turn_of IS NOT NULL ORDER BY turn_of, channel
    ON CONFLICT (workspace_id, channel) DO UPDATE SET next_at = GREATEST(t.next_at, now()) + interval '1 minute'
      WHERE t.next_at <= now() + interval '${BURST - 1} minutes'
    RETURNING workspace_id, channel
  ), picked AS MATERIALIZED (
    SELECT w.id, d.channel, d.together FROM due d CROSS JOIN LATERAL (
      SELECT w.id FROM approval_notices w
      WHERE w.channel = d.channel AND w.due_at <= now() AND ${GROUP} = d.together
      ORDER BY w.id LIMIT ${MOST_TOGETHER} FOR UPDATE SKIP LOCKED) AS w
    WHERE d.turn_of IS NULL OR EXISTS (
      SELECT FROM turns t WHERE t.workspace_id = d.turn_of AND t.channel = d.channel)
  )
  UPDATE approval_notices n SET attempts = attempts + 1, due_at = now() + $3::integer * interval '1 second',
    notice_id = COALESCE(n.notice_id, (SELECT min(o.id) FROM picked o WHERE (o.channel, o.together) = (p.channel, p.together)))
  FROM picked p WHERE n.id = p.id
  RETURNING ${CLAIMED}`;

/** $1 ids. A summary may have 30 KB: each is read once, however many people are told of it. */
export const REQUESTS = `
  SELECT r.id, r.title, r.summary, r.reason,
    COALESCE(asker.name, 'the API key ' || r.credential_name) AS "askedBy", e.name AS environment
  FROM approval_requests r
    LEFT JOIN environments e ON e.id = r.environment_id AND e.deleted_at IS NULL
    LEFT JOIN users asker ON asker.id = r.requested_by_user_id
  WHERE r.id = ANY($1::text[])`;

/** Of the first ids of each group: no more requests are read than are told. */
const FIRST_IDS = 'cardinality(ids) AS count, known.ids[1:10] AS ids';

const IDS = 'array_agg(a.id ORDER BY a.id) AS ids';

const ARE_PENDING = `a.id = ANY($1::text[]) AND a.status = 'pending' AND a.expires_at > now()`;

/** SQL, as the next one: they name as many requests as are told, and count the others. */
export const PENDING = `
  SELECT w.id AS "workspaceId", w.slug, w.name, ${FIRST_IDS}
  FROM (SELECT a.workspace_id, ${IDS} FROM approval_requests a WHERE ${ARE_PENDING} GROUP BY a.workspace_id) AS known
    JOIN workspaces w ON w.id = known.workspace_id`;

export const PEOPLE = `
  SELECT u.email, u.name, ${FIRST_IDS}
  FROM (
    SELECT m.user_id, ${IDS} FROM approval_requests a JOIN ${LIVE_MEMBERSHIPS} m ON m.workspace_id = a.workspace_id
    WHERE ${ARE_PENDING} AND ${mayDecide({ request: 'a', role: 'm.role', user: 'm.user_id' })}
      AND NOT (a.id = ANY($2::text[]) AND a.behind_user_id IS NOT DISTINCT FROM m.user_id)
    GROUP BY m.user_id) AS known
    JOIN users u ON u.id = known.user_id`;

import { columns } from '../database/index.js';
import { fairBatch } from '../work/index.js';
import { Mail } from './mail.entity.js';

export const CLAIMED = columns(Mail, 'm', 'id', 'message', 'attempts', 'createdAt');

const OF_WORKSPACES = fairBatch(
  { table: 'mails', waits: 'due_at <= now() AND workspace_id IS NOT NULL' },
  '($1::int - (SELECT count(*) FROM of_accounts)::int)',
);

/**
 * $1 how many, $2 seconds. Those of accounts go first: somebody waits for a new password. The others are claimed fairly
 * between owners and workspaces. SQL: locked and changed by two statements it would take a transaction, in every process
 * every two seconds.
 */
export const CLAIM = `
  WITH RECURSIVE of_accounts AS MATERIALIZED (
    SELECT id FROM mails WHERE due_at <= now() AND workspace_id IS NULL ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED
  ), ${OF_WORKSPACES}
  UPDATE mails m SET attempts = attempts + 1, due_at = now() + $2::integer * interval '1 second'
  WHERE id IN (SELECT id FROM of_accounts UNION ALL SELECT id FROM batch)
  RETURNING ${CLAIMED}`;

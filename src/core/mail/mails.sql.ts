import { columns } from '../database/index.js';
import { Mail } from './mail.entity.js';

export const CLAIMED = columns(Mail, 'm', 'id', 'message', 'attempts', 'createdAt');

/** SQL: locked and changed by two statements it would take a transaction, in every process every two seconds. */
export const CLAIM = `
  UPDATE mails m SET attempts = attempts + 1, due_at = now() + $2::integer * interval '1 second'
  WHERE id IN (SELECT id FROM mails WHERE due_at <= now() ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED)
  RETURNING ${CLAIMED}`;

/** SQL, since each row gets a value of its own. */
export const REPLACE = `
  UPDATE mails m SET message = r.message FROM unnest($1::text[], $2::bytea[]) AS r (id, message) WHERE m.id = r.id`;

import {
  MEMBERSHIP_AND_ENVIRONMENT,
  NAMED_WORKSPACE,
  PERSON_IN_SESSION,
  WORKSPACE_AND_ENVIRONMENT,
} from '../core/access/index.js';

/** What a session resolves to. SQL, since every request begins with it, and requests of all kinds are resolved at once. */
export const liveSessions = (sent: string): string => `
  SELECT q.place, s.id AS "credentialId", NULL AS "credentialName", NULL AS scopes,
    NULL::text[] AS "allowedWorkspaces", NULL AS "boundEnvironment",
    s.confirmed_at > now() - interval '1 hour' AS confirmed, ${PERSON_IN_SESSION}, ${WORKSPACE_AND_ENVIRONMENT}
  FROM ${sent} q JOIN sessions s ON s.hash = q.hash AND s.expires_at > now()
    JOIN users u ON u.id = s.user_id ${NAMED_WORKSPACE} ${MEMBERSHIP_AND_ENVIRONMENT}`;

/** SQL, since the lock lets a change of the password or of the factors, or a disabling, in progress finish first. */
export const INSERT_SESSION = `
  INSERT INTO sessions (id, hash, user_id, address, user_agent, expires_at)
  SELECT $1, $2::bytea, id, $5, $6, now() + $7::integer * interval '1 second' FROM users
  WHERE id = $3 AND password_hash = $4 AND second_factor = $8 AND disabled_at IS NULL FOR SHARE`;

/** The same for somebody who has proved who they are elsewhere. What was proved at an unknown moment confirms nothing. */
export const INSERT_PROVEN_SESSION = `
  INSERT INTO sessions (id, hash, user_id, confirmed_at, address, user_agent, expires_at, provided)
  SELECT $1, $2::bytea, id, least(now(), coalesce($4::timestamptz, 'epoch')), $5, $6,
    now() + $7::integer * interval '1 second', true FROM users
  WHERE id = $3 AND disabled_at IS NULL FOR SHARE`;

/** SQL, since each row gets a value of its own. */
export const RECORD_USE = `
  UPDATE sessions s SET last_used_at = now(), address = u.address
  FROM unnest($1::text[], $2::text[]) AS u(id, address) WHERE s.id = u.id`;

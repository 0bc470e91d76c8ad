/**
 * The condition that an invitation can still be accepted. Its time has not passed, and the app that asked for it may
 * still act. It was not made with an account before its person had shown that the account is theirs.
 *
 * @param invitation the table's name or alias in the statement
 */
export const canBeAccepted = (invitation: string): string => `(${invitation}.expires_at > now()
  AND NOT EXISTS (SELECT FROM agent_grants g WHERE g.id = ${invitation}.grant_id
    AND (g.revoked_at IS NOT NULL OR g.expires_at <= now()))
  AND NOT EXISTS (SELECT FROM users u WHERE u.id = ${invitation}.invited_by
    AND u.email_proven_at > ${invitation}.created_at))`;

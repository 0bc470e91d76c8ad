/**
 * The columns of an `ApprovalRow` in SQL.
 *
 * @param request the name of `approval_requests` in the statement
 * @param decider the name of `users`, joined by `decided_by_user_id`
 * @param now what decides whether it has expired: `clock_timestamp()` where a lock was waited for
 */
export function approvalColumns(request: string, decider: string, now = 'now()'): string {
  const a = request;
  return `
    ${a}.id, ${a}.action, ${a}.title, ${a}.summary, ${a}.input, ${a}.reason,
    CASE WHEN ${a}.status IN ('pending', 'approved') AND ${a}.expires_at <= ${now} THEN 'expired'
      ELSE ${a}.status END AS status,
    ${a}.requested_by_user_id AS "requestedByUserId", ${a}.expires_at AS "expiresAt", ${a}.created_at AS "createdAt",
    ${a}.decided_at AS "decidedAt", ${a}.decided_by_user_id AS "decidedByUserId", ${decider}.name AS "decidedByName",
    ${a}.decision_reason AS "decisionReason", ${a}.result, ${a}.secret_name AS "secretName",
    ${a}.secret_env_var AS "secretEnvVar"`;
}

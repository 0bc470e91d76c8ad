import { VIEWERS } from '../core/access/index.js';
import { mayDecide } from './who-may-decide.js';

/** SQL, since it is asked for many viewers at once. As a single request is found: in the app for who asked and who may decide, else for the credential that asked. */
export const APPROVAL_IS_VISIBLE = `
  SELECT COALESCE(CASE q.kind WHEN 'session'
    THEN a.requested_by_user_id = q.user_id OR ${mayDecide({ request: 'a', role: 'q.role', user: 'q.user_id' })}
    ELSE a.credential_kind = q.kind AND a.credential_id = q.credential_id END, false) AS visible
  FROM ${VIEWERS} LEFT JOIN approval_requests a ON a.id = q.subject_id AND a.workspace_id = q.workspace_id
  ORDER BY q.place`;

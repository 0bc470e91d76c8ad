import { scriptIsVisible, VIEWERS } from '../core/access/index.js';

/** SQL, since it is asked for many viewers at once. */
export const SCRIPT_IS_VISIBLE = `
  SELECT COALESCE(s.id IS NOT NULL
    AND ${scriptIsVisible({ alias: 's', roleParameter: 'q.role', userParameter: 'q.user_id', choiceParameter: 'q.script_choice' })}, false) AS visible
  FROM ${VIEWERS} LEFT JOIN scripts s ON s.id = q.subject_id AND s.workspace_id = q.workspace_id
  ORDER BY q.place`;

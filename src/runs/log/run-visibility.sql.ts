import { scriptIsChosen, scriptIsVisible, VIEWERS } from '../../core/access/index.js';

/** SQL, since it is asked for many viewers at once. As a single run is found: by a guest who started it, by others where they see its script. */
export const RUN_IS_VISIBLE = `
  SELECT COALESCE(r.id IS NOT NULL AND CASE q.role WHEN 'guest' THEN r.started_by_user_id = q.user_id AND ${scriptIsChosen('s', 'q.script_choice')}
    ELSE ${scriptIsVisible({ alias: 's', roleParameter: 'q.role', userParameter: 'q.user_id', choiceParameter: 'q.script_choice' })} END, false) AS visible
  FROM ${VIEWERS}
    LEFT JOIN runs r ON r.id = q.subject_id AND r.workspace_id = q.workspace_id
      AND (q.environment_id IS NULL OR r.environment_id = q.environment_id)
    LEFT JOIN scripts s ON s.id = r.script_id
  ORDER BY q.place`;

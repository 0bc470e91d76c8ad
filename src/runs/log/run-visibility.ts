import { Injectable, type OnModuleInit } from '@nestjs/common';

import { checkedBy, scriptIsVisible, SubjectVisibility, VIEWERS } from '../../core/access/index.js';
import { Database } from '../../core/database/index.js';

/** What a response that follows a run names as its subject, and events about runs as theirs. */
export const RUN_SUBJECT = 'run';

/** Says of many runs at once whether those who follow them may see them still. */
@Injectable()
export class RunVisibility implements OnModuleInit {
  constructor(
    private readonly visibility: SubjectVisibility,
    private readonly database: Database,
  ) {}

  onModuleInit(): void {
    this.visibility.register(RUN_SUBJECT, checkedBy(this.database, VISIBLE));
  }
}

/** As a single run is found: by a guest who started it, by others where they see its script. */
const VISIBLE = `
  SELECT COALESCE(r.id IS NOT NULL AND CASE q.role WHEN 'guest' THEN r.started_by_user_id = q.user_id
    ELSE ${scriptIsVisible({ alias: 's', roleParameter: 'q.role', userParameter: 'q.user_id' })} END, false) AS visible
  FROM ${VIEWERS}
    LEFT JOIN runs r ON r.id = q.subject_id AND r.workspace_id = q.workspace_id
      AND (q.environment_id IS NULL OR r.environment_id = q.environment_id)
    LEFT JOIN scripts s ON s.id = r.script_id
  ORDER BY q.place`;

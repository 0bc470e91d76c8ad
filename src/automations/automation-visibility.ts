import { Injectable } from '@nestjs/common';

import { scriptIsVisible } from '../core/access/script-visibility.js';
import { SubjectVisibility, VIEWERS, checkedBy } from '../core/access/subject-visibility.js';
import { Database } from '../core/database/database.js';
import type { AutomationKind } from './automation.kind.js';

/** Says of many schedules or triggers at once who may see them: whoever sees their script, with a key of their environment. */
@Injectable()
export class AutomationVisibility {
  constructor(
    private readonly visibility: SubjectVisibility,
    private readonly database: Database,
  ) {}

  register({ name }: AutomationKind, table: string): void {
    this.visibility.register(name, checkedBy(this.database, visible(table)));
  }
}

const visible = (table: string): string => `
  SELECT COALESCE(s.id IS NOT NULL
    AND ${scriptIsVisible({ alias: 's', roleParameter: 'q.role', userParameter: 'q.user_id' })}, false) AS visible
  FROM ${VIEWERS}
    LEFT JOIN ${table} a ON a.id = q.subject_id AND a.workspace_id = q.workspace_id
      AND (q.environment_id IS NULL OR a.environment_id = q.environment_id)
    LEFT JOIN scripts s ON s.id = a.script_id
  ORDER BY q.place`;

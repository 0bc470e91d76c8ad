import { Injectable, type OnModuleInit } from '@nestjs/common';

import { checkedBy, scriptIsVisible, SubjectVisibility, VIEWERS } from '../core/access/index.js';
import { Database } from '../core/database/index.js';

export const SCRIPT_SUBJECT = 'script';

/** Says of many scripts at once for whom they exist. */
@Injectable()
export class ScriptVisibility implements OnModuleInit {
  constructor(
    private readonly visibility: SubjectVisibility,
    private readonly database: Database,
  ) {}

  onModuleInit(): void {
    this.visibility.register(SCRIPT_SUBJECT, checkedBy(this.database, VISIBLE));
  }
}

const VISIBLE = `
  SELECT COALESCE(s.id IS NOT NULL
    AND ${scriptIsVisible({ alias: 's', roleParameter: 'q.role', userParameter: 'q.user_id' })}, false) AS visible
  FROM ${VIEWERS} LEFT JOIN scripts s ON s.id = q.subject_id AND s.workspace_id = q.workspace_id
  ORDER BY q.place`;

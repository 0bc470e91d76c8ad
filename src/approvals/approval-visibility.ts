import { Injectable, type OnModuleInit } from '@nestjs/common';

import { checkedBy, SubjectVisibility, VIEWERS } from '../core/access/index.js';
import { Database } from '../core/database/index.js';
import { mayDecide } from './who-may-decide.js';

export const APPROVAL_SUBJECT = 'approval_request';

/** Says of many requests at once who may read them. */
@Injectable()
export class ApprovalVisibility implements OnModuleInit {
  constructor(
    private readonly visibility: SubjectVisibility,
    private readonly database: Database,
  ) {}

  onModuleInit(): void {
    this.visibility.register(APPROVAL_SUBJECT, checkedBy(this.database, VISIBLE));
  }
}

/** As a single request is found: in the app for who asked and who may decide, else for the credential that asked. */
const VISIBLE = `
  SELECT COALESCE(CASE q.kind WHEN 'session'
    THEN a.requested_by_user_id = q.user_id OR ${mayDecide({ request: 'a', role: 'q.role', user: 'q.user_id' })}
    ELSE a.credential_kind = q.kind AND a.credential_id = q.credential_id END, false) AS visible
  FROM ${VIEWERS} LEFT JOIN approval_requests a ON a.id = q.subject_id AND a.workspace_id = q.workspace_id
  ORDER BY q.place`;

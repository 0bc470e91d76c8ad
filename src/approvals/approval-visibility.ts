import { Injectable, type OnModuleInit } from '@nestjs/common';

import { SubjectVisibility } from '../core/access/index.js';
import { APPROVAL_IS_VISIBLE } from './approval-visibility.sql.js';

export const APPROVAL_SUBJECT = 'approval_request';

/** Says of many requests at once who may read them. */
@Injectable()
export class ApprovalVisibility implements OnModuleInit {
  constructor(private readonly visibility: SubjectVisibility) {}

  onModuleInit(): void {
    this.visibility.register(APPROVAL_SUBJECT, APPROVAL_IS_VISIBLE, { byCredential: true });
  }
}

import { Injectable, type OnModuleInit } from '@nestjs/common';

import { checkedBy, SubjectVisibility } from '../core/access/index.js';
import { Database } from '../core/database/index.js';
import { SCRIPT_IS_VISIBLE } from './script-visibility.sql.js';

export const SCRIPT_SUBJECT = 'script';

/** Says of many scripts at once for whom they exist. */
@Injectable()
export class ScriptVisibility implements OnModuleInit {
  constructor(
    private readonly visibility: SubjectVisibility,
    private readonly database: Database,
  ) {}

  onModuleInit(): void {
    this.visibility.register(SCRIPT_SUBJECT, checkedBy(this.database, SCRIPT_IS_VISIBLE));
  }
}

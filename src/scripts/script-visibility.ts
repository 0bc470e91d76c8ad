import { Injectable, type OnModuleInit } from '@nestjs/common';

import { SubjectVisibility } from '../core/access/index.js';
import { SCRIPT_IS_VISIBLE } from './script-visibility.sql.js';

export const SCRIPT_SUBJECT = 'script';

/** Says of many scripts at once for whom they exist. */
@Injectable()
export class ScriptVisibility implements OnModuleInit {
  constructor(private readonly visibility: SubjectVisibility) {}

  onModuleInit(): void {
    this.visibility.register(SCRIPT_SUBJECT, SCRIPT_IS_VISIBLE);
  }
}

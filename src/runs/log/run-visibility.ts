import { Injectable, type OnModuleInit } from '@nestjs/common';

import { SubjectVisibility } from '../../core/access/index.js';
import { RUN_IS_VISIBLE } from './run-visibility.sql.js';

/** What a response that follows a run names as its subject, and events about runs as theirs. */
export const RUN_SUBJECT = 'run';

/** Says of many runs at once whether those who follow them may see them still. */
@Injectable()
export class RunVisibility implements OnModuleInit {
  constructor(private readonly visibility: SubjectVisibility) {}

  onModuleInit(): void {
    this.visibility.register(RUN_SUBJECT, RUN_IS_VISIBLE);
  }
}

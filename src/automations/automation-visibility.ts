import { Injectable } from '@nestjs/common';

import { checkedBy, SubjectVisibility } from '../core/access/index.js';
import { Database } from '../core/database/index.js';
import type { AutomationKind } from './automation.kind.js';
import { automationIsVisible } from './automations.sql.js';

/** Says of many schedules or triggers at once who may see them: whoever sees their script, with a key of their environment. */
@Injectable()
export class AutomationVisibility {
  constructor(
    private readonly visibility: SubjectVisibility,
    private readonly database: Database,
  ) {}

  register({ name }: AutomationKind, table: string): void {
    this.visibility.register(name, checkedBy(this.database, automationIsVisible(table)));
  }
}

import { Injectable } from '@nestjs/common';

import { Database } from '../core/database/database.js';
import { Outbox } from '../core/outbox/outbox.js';

export interface ScheduleEventRow {
  id: string;
  workspaceId: string;
  environmentId: string;
  type: 'schedule.missed' | 'schedule.disabled';
  data: Record<string, unknown>;
}

@Injectable()
export class ScheduleEventsRepository {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  async insert(events: readonly ScheduleEventRow[]): Promise<void> {
    if (events.length === 0) return;
    await this.database.execute(INSERT, [JSON.stringify(events)]);
    this.outbox.wake();
  }
}

const INSERT = `
  INSERT INTO events (id, workspace_id, environment_id, type, data)
  SELECT id, "workspaceId", "environmentId", type, data
  FROM json_to_recordset($1::json) AS e(id text, "workspaceId" text, "environmentId" text, type text, data jsonb)`;

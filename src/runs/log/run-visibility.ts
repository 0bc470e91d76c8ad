import { Injectable, type OnModuleInit } from '@nestjs/common';

import type { WorkspaceCaller } from '../../core/access/caller.js';
import { LiveResponses } from '../../core/access/live-responses.js';
import { Database } from '../../core/database/database.js';
import { scriptIsVisible } from '../../core/access/script-visibility.js';

/** What a response that follows a run names as its subject. */
export const RUN_SUBJECT = 'run';

/** Says of many runs at once whether those who follow them may see them still. */
@Injectable()
export class RunVisibility implements OnModuleInit {
  constructor(
    private readonly live: LiveResponses,
    private readonly database: Database,
  ) {}

  onModuleInit(): void {
    this.live.registerSubject(RUN_SUBJECT, (questions) => this.judge(questions));
  }

  private async judge(questions: readonly { caller: WorkspaceCaller; id: string }[]): Promise<boolean[]> {
    const rows = await this.database.query<{ visible: boolean }>(VISIBLE, [
      questions.map(({ id }) => id),
      questions.map(({ caller }) => caller.workspace.id),
      questions.map(({ caller }) => (caller.bound ? caller.environment.id : null)),
      questions.map(({ caller }) => caller.role),
      questions.map(({ caller }) => caller.person?.id ?? null),
    ]);
    return rows.map(({ visible }) => visible);
  }
}

/** As a single run is found: by a guest who started it, by others where they see its script. */
const VISIBLE = `
  SELECT COALESCE(r.id IS NOT NULL AND CASE q.role WHEN 'guest' THEN r.started_by_user_id = q.user_id
    ELSE ${scriptIsVisible({ alias: 's', roleParameter: 'q.role', userParameter: 'q.user_id' })} END, false) AS visible
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
      WITH ORDINALITY AS q(run_id, workspace_id, environment_id, role, user_id, place)
    LEFT JOIN runs r ON r.id = q.run_id AND r.workspace_id = q.workspace_id
      AND (q.environment_id IS NULL OR r.environment_id = q.environment_id)
    LEFT JOIN scripts s ON s.id = r.script_id
  ORDER BY q.place`;

import { Injectable } from '@nestjs/common';

import { Database } from '../core/database/database.js';
import type { ScriptTriggerDto } from '../scripts/script.dto.js';
import { scriptIsVisible } from '../core/access/script-visibility.js';
import type { UsedScript, UseViewer } from '../scripts/script-uses.js';
import type { Filter } from './matching/filter.js';

export interface FollowerRow {
  id: string;
  name: string;
  eventType: string;
  filter: Filter;
  slug: string;
  scriptName: string;
  /** Of the script that is followed. */
  followed: { id: string; slug: string; name: string };
}

const MOST_USES = 100;

@Injectable()
export class ScriptTriggersRepository {
  constructor(private readonly database: Database) {}

  /** The newest. `onlyIn`: of one environment. */
  usesOf(scriptId: string, onlyIn: string | null): Promise<ScriptTriggerDto[]> {
    return this.database.query<ScriptTriggerDto>(
      `SELECT id, name, event_type AS "eventType", enabled FROM triggers
       WHERE script_id = $1 AND ($2::text IS NULL OR environment_id = $2) ORDER BY id DESC LIMIT $3`,
      [scriptId, onlyIn, MOST_USES],
    );
  }

  /** Triggers on runs, of other scripts that the viewer may see, written by somebody who may see this one. */
  followersOf(
    { id, workspaceId }: UsedScript,
    { role, userId, environmentId }: UseViewer,
  ): Promise<FollowerRow[]> {
    return this.database.query<FollowerRow>(FOLLOWERS, [workspaceId, id, role, userId, environmentId]);
  }
}

const FOLLOWERS = `
  SELECT t.id, t.name, t.event_type AS "eventType", t.filter, s.slug, s.name AS "scriptName",
    json_build_object('id', f.id, 'slug', f.slug, 'name', f.name) AS followed
  FROM triggers t
    JOIN scripts s ON s.id = t.script_id
    JOIN scripts f ON f.id = $2
    LEFT JOIN memberships m ON m.workspace_id = t.workspace_id AND m.user_id = t.author_user_id
    CROSS JOIN LATERAL (SELECT CASE WHEN t.author_user_id IS NULL THEN 'admin' ELSE m.role END AS role) AS author
  WHERE t.workspace_id = $1 AND t.enabled AND t.event_type LIKE 'run.%' AND t.script_id <> $2
    AND ($5::text IS NULL OR t.environment_id = $5)
    AND ${scriptIsVisible({ alias: 's', roleParameter: '$3', userParameter: '$4' })}
    AND ${scriptIsVisible({ alias: 'f', roleParameter: 'author.role', userParameter: 't.author_user_id' })}
  ORDER BY t.id DESC`;

import { Injectable } from '@nestjs/common';

import { columns } from '../../core/database/columns.js';
import { Database } from '../../core/database/database.js';
import { Run } from '../../runs/index.js';
import { scriptIsVisible } from '../../core/access/script-visibility.js';
import { Trigger } from '../trigger.entity.js';
import type { AuthorRights, AuthorView } from './author-rights.js';
import type { CausingRun, FiredEvent, ListeningTrigger } from './matches.js';

@Injectable()
export class TriggerFiringRepository {
  constructor(private readonly database: Database) {}

  /** The first enabled triggers on an event's type that it may fit, in the order of their ids, after one of them. */
  listening(
    { workspaceId, environmentId, type }: FiredEvent,
    after: string,
    count: number,
  ): Promise<Pick<ListeningTrigger, 'id' | 'environmentId' | 'filter'>[]> {
    return this.database.query(LISTENING, [workspaceId, type, environmentId, after, count]);
  }

  /** Those that are still enabled, as they are now; nobody changes them until the transaction ends. */
  lock(ids: readonly string[]): Promise<ListeningTrigger[]> {
    return this.database.query<ListeningTrigger>(LOCK, [ids]);
  }

  /** Records that an event fires triggers. Returns those of which it was not recorded before. */
  async recordNew(eventId: string, triggerIds: readonly string[]): Promise<Set<string>> {
    const rows = await this.database.query<{ id: string }>(RECORD_NEW, [eventId, triggerIds]);
    return new Set(rows.map(({ id }) => id));
  }

  /** What each author may see, in the order given. */
  authorRights(views: readonly AuthorView[]): Promise<AuthorRights[]> {
    return this.database.query<AuthorRights>(AUTHOR_RIGHTS, [
      views.map(({ workspaceId }) => workspaceId),
      views.map(({ userId }) => userId),
      views.map(({ scriptId }) => scriptId),
    ]);
  }

  causingRun(id: string): Promise<CausingRun | null> {
    return this.database.one<CausingRun>(CAUSING_RUN, [id]);
  }

  async markFired(ids: readonly string[]): Promise<void> {
    await this.database.execute('UPDATE triggers SET last_fired_at = now() WHERE id = ANY($1)', [ids]);
  }
}

const COLUMNS = columns(
  Trigger,
  't',
  'id',
  'workspaceId',
  'environmentId',
  'scriptId',
  'createdByUserId',
  'authorUserId',
  'byAgent',
  'eventType',
  'filter',
  'inputs',
);

const LISTENING = `
  SELECT ${columns(Trigger, 't', 'id', 'environmentId', 'filter')}
  FROM triggers t WHERE t.workspace_id = $1 AND t.event_type = $2 AND t.enabled
    AND ($3::text IS NULL OR t.environment_id = $3) AND t.id > $4
  ORDER BY t.id LIMIT $5`;

/** In the order of their ids, so that no two dispatchers wait for each other. */
const LOCK = `
  SELECT ${COLUMNS} FROM triggers t WHERE t.id = ANY($1) AND t.enabled ORDER BY t.id FOR NO KEY UPDATE`;

const RECORD_NEW = `
  INSERT INTO trigger_firings (event_id, trigger_id) SELECT $1, id FROM unnest($2::text[]) AS t(id)
  ON CONFLICT DO NOTHING RETURNING trigger_id AS id`;

const AUTHOR_RIGHTS = `
  SELECT r.role, v.script_id IS NULL OR COALESCE(
    ${scriptIsVisible({ alias: 's', roleParameter: 'r.role', userParameter: 'v.user_id' })}, false) AS visible
  FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS v(workspace_id, user_id, script_id, place)
    LEFT JOIN memberships m ON m.workspace_id = v.workspace_id AND m.user_id = v.user_id
    LEFT JOIN scripts s ON s.id = v.script_id AND s.workspace_id = v.workspace_id
    CROSS JOIN LATERAL (SELECT CASE WHEN v.user_id IS NULL THEN 'admin' ELSE m.role END AS role) AS r
  ORDER BY v.place`;

const CAUSING_RUN = `SELECT ${columns(Run, 'r', 'hops', 'chainEventId', 'byAgent')} FROM runs r WHERE r.id = $1`;

import { Injectable } from '@nestjs/common';

import { columns, type RowOf } from '../../core/database/columns.js';
import { Database } from '../../core/database/database.js';
import { Run } from '../../runs/run.entity.js';
import { scriptIsVisible } from '../../core/access/script-visibility.js';
import { Trigger } from '../trigger.entity.js';
import type { AuthorRights, AuthorView } from './author-rights.js';
import type { CausingRun, ListeningTrigger } from './matches.js';

@Injectable()
export class TriggerFiringRepository {
  constructor(private readonly database: Database) {}

  /** The enabled triggers on these types of events, each in its workspace. */
  listening(kinds: readonly { workspaceId: string; type: string }[]): Promise<ListeningTrigger[]> {
    return this.database.query<ListeningTrigger>(LISTENING, [
      kinds.map(({ workspaceId }) => workspaceId),
      kinds.map(({ type }) => type),
    ]);
  }

  /** Those that are still enabled, as they are now; nobody changes them until the transaction ends. */
  lock(ids: readonly string[]): Promise<ListeningTrigger[]> {
    return this.database.query<ListeningTrigger>(LOCK, [ids]);
  }

  /** Records which event fires which trigger. Returns the pairs that were not recorded before, each as `event trigger`. */
  async recordNew(pairs: readonly { eventId: string; triggerId: string }[]): Promise<Set<string>> {
    const rows = await this.database.query<{ eventId: string; triggerId: string }>(RECORD_NEW, [
      pairs.map(({ eventId }) => eventId),
      pairs.map(({ triggerId }) => triggerId),
    ]);
    return new Set(rows.map(({ eventId, triggerId }) => `${eventId} ${triggerId}`));
  }

  /** What each author may see, in the order given. */
  authorRights(views: readonly AuthorView[]): Promise<AuthorRights[]> {
    return this.database.query<AuthorRights>(AUTHOR_RIGHTS, [
      views.map(({ workspaceId }) => workspaceId),
      views.map(({ userId }) => userId),
      views.map(({ scriptId }) => scriptId),
    ]);
  }

  async causingRuns(ids: readonly string[]): Promise<Map<string, CausingRun>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.query<RowOf<typeof CAUSING_RUN>>(CAUSING_RUNS, [ids]);
    return new Map(rows.map((run) => [run.id, run]));
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
  SELECT ${COLUMNS} FROM unnest($1::text[], $2::text[]) AS k(workspace_id, event_type)
    JOIN triggers t ON t.workspace_id = k.workspace_id AND t.event_type = k.event_type AND t.enabled`;

/** In the order of their ids, so that no two dispatchers wait for each other. */
const LOCK = `
  SELECT ${COLUMNS} FROM triggers t WHERE t.id = ANY($1) AND t.enabled ORDER BY t.id FOR NO KEY UPDATE`;

const RECORD_NEW = `
  INSERT INTO trigger_firings (event_id, trigger_id)
  SELECT event_id, trigger_id FROM unnest($1::text[], $2::text[]) AS f(event_id, trigger_id) ORDER BY 1, 2
  ON CONFLICT DO NOTHING
  RETURNING event_id AS "eventId", trigger_id AS "triggerId"`;

const AUTHOR_RIGHTS = `
  SELECT r.role, v.script_id IS NULL OR COALESCE(
    ${scriptIsVisible({ alias: 's', roleParameter: 'r.role', userParameter: 'v.user_id' })}, false) AS visible
  FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS v(workspace_id, user_id, script_id, place)
    LEFT JOIN memberships m ON m.workspace_id = v.workspace_id AND m.user_id = v.user_id
    LEFT JOIN scripts s ON s.id = v.script_id AND s.workspace_id = v.workspace_id
    CROSS JOIN LATERAL (SELECT CASE WHEN v.user_id IS NULL THEN 'admin' ELSE m.role END AS role) AS r
  ORDER BY v.place`;

const CAUSING_RUN = columns(Run, 'r', 'id', 'hops', 'chainEventId', 'byAgent');
const CAUSING_RUNS = `SELECT ${CAUSING_RUN} FROM runs r WHERE r.id = ANY($1)`;

import { Injectable } from '@nestjs/common';

import type { Role } from '../../core/access/roles.js';
import { Database } from '../../core/database/database.js';
import { scriptIsVisible } from '../../core/access/script-visibility.js';
import type { ListeningTrigger, RunBehind } from './matches.js';

export interface Hearing {
  workspaceId: string;
  /** null for an API key. */
  userId: string | null;
  /** null for an event that is about no script. */
  scriptId: string | null;
}

export interface Heard {
  /** `admin` for an API key, null for one who has left. */
  role: Role | null;
  /** Whether they may know of the script. */
  visible: boolean;
}

@Injectable()
export class TriggerFiringRepository {
  constructor(private readonly database: Database) {}

  /** The triggers that are switched on for these types of events, each of its workspace. */
  listening(kinds: readonly { workspaceId: string; type: string }[]): Promise<ListeningTrigger[]> {
    return this.database.query<ListeningTrigger>(LISTENING, [
      kinds.map(({ workspaceId }) => workspaceId),
      kinds.map(({ type }) => type),
    ]);
  }

  /** Those that are still switched on, as they are now; nobody changes them until the transaction ends. */
  lock(ids: readonly string[]): Promise<ListeningTrigger[]> {
    return this.database.query<ListeningTrigger>(LOCK, [ids]);
  }

  /** Writes down what fires what. Returns the index of each pair that had not been written down before. */
  async recordNew(pairs: readonly { eventId: string; triggerId: string }[]): Promise<Set<string>> {
    const rows = await this.database.query<{ eventId: string; triggerId: string }>(RECORD_NEW, [
      pairs.map(({ eventId }) => eventId),
      pairs.map(({ triggerId }) => triggerId),
    ]);
    return new Set(rows.map(({ eventId, triggerId }) => `${eventId} ${triggerId}`));
  }

  /** What each may hear of, in the order given. */
  hearings(hearings: readonly Hearing[]): Promise<Heard[]> {
    return this.database.query<Heard>(HEARINGS, [
      hearings.map(({ workspaceId }) => workspaceId),
      hearings.map(({ userId }) => userId),
      hearings.map(({ scriptId }) => scriptId),
    ]);
  }

  async runsBehind(ids: readonly string[]): Promise<Map<string, RunBehind>> {
    const rows = await this.database.query<RunBehind & { id: string }>(
      `SELECT id, hops, chain_event_id AS "chainEventId", by_agent AS "byAgent" FROM runs WHERE id = ANY($1)`,
      [ids],
    );
    return new Map(rows.map(({ id, ...run }) => [id, run]));
  }

  async markFired(ids: readonly string[]): Promise<void> {
    await this.database.execute('UPDATE triggers SET last_fired_at = now() WHERE id = ANY($1)', [ids]);
  }
}

const COLUMNS = `
  t.id, t.workspace_id AS "workspaceId", t.environment_id AS "environmentId", t.script_id AS "scriptId",
  t.created_by_user_id AS "createdByUserId", t.author_user_id AS "authorUserId", t.by_agent AS "byAgent",
  t.event_type AS "eventType", t.filter, t.inputs`;

const LISTENING = `
  SELECT ${COLUMNS} FROM unnest($1::text[], $2::text[]) AS k(workspace_id, event_type)
    JOIN triggers t ON t.workspace_id = k.workspace_id AND t.event_type = k.event_type AND t.enabled`;

/** In one order, so that no two dispatchers wait for each other. */
const LOCK = `
  SELECT ${COLUMNS} FROM triggers t WHERE t.id = ANY($1) AND t.enabled ORDER BY t.id FOR NO KEY UPDATE`;

const RECORD_NEW = `
  INSERT INTO trigger_firings (event_id, trigger_id)
  SELECT event_id, trigger_id FROM unnest($1::text[], $2::text[]) AS f(event_id, trigger_id) ORDER BY 1, 2
  ON CONFLICT DO NOTHING
  RETURNING event_id AS "eventId", trigger_id AS "triggerId"`;

const HEARINGS = `
  SELECT r.role, h.script_id IS NULL OR COALESCE(
    ${scriptIsVisible({ alias: 's', roleParameter: 'r.role', userParameter: 'h.user_id' })}, false) AS visible
  FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS h(workspace_id, user_id, script_id, place)
    LEFT JOIN memberships m ON m.workspace_id = h.workspace_id AND m.user_id = h.user_id
    LEFT JOIN scripts s ON s.id = h.script_id AND s.workspace_id = h.workspace_id
    CROSS JOIN LATERAL (SELECT CASE WHEN h.user_id IS NULL THEN 'admin' ELSE m.role END AS role) AS r
  ORDER BY h.place`;

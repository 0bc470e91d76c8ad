import { Injectable } from '@nestjs/common';

import { columns, type RowOf } from '../../core/database/columns.js';
import { Database } from '../../core/database/database.js';
import type { DispatchedEvent } from '../../core/outbox/event-consumers.js';
import { OutboxEvent } from '../../core/outbox/outbox-event.entity.js';
import { fairClaim } from '../../core/work/fair-claim.sql.js';
import { type Claimed, claimedOf, type Places } from '../../core/work/fair-share.js';
import { LEASE, LEASE_IS_LOST } from '../../core/work/lease-clock.js';
import type { FiredEvent } from './matches.js';
import { WaitingFiring } from './waiting-firing.entity.js';

/** An event that this process has taken to fire. */
export type ClaimedFiring = RowOf<typeof CLAIMED>;

/** The event, and those of its triggers that have not fired yet; null: nobody has looked which they are. */
export type HeldFiring = FiredEvent & Pick<WaitingFiring, 'triggerIds'>;

/** The queue of the events that fire triggers. */
@Injectable()
export class FiringClaimsRepository {
  constructor(private readonly database: Database) {}

  /** Has those of the events fired that an enabled trigger listens for. Returns how many these are. */
  async add(events: readonly DispatchedEvent[]): Promise<number> {
    const { count } = await this.database.execute(ADD, [
      events.map(({ id }) => id),
      events.map(({ workspaceId }) => workspaceId),
      events.map(({ environmentId }) => environmentId),
      events.map(({ type }) => type),
    ]);
    return count;
  }

  /** Takes events, fairly between owners and workspaces. The attempt is counted before it is made. */
  async claim(workerId: string, { room, share }: Places): Promise<Claimed<ClaimedFiring>> {
    return claimedOf(await this.database.query(CLAIM, [workerId, room, share]));
  }

  /** Those that are still ours. */
  renew(claims: readonly ClaimedFiring[]): Promise<Pick<WaitingFiring, 'id'>[]> {
    return this.database.query(RENEW, [claims.map(({ id }) => id), claims.map(({ claim }) => claim)]);
  }

  /** Locked until the transaction ends. null: it is not ours any more, or the event is gone. */
  hold({ id, claim }: ClaimedFiring): Promise<HeldFiring | null> {
    return this.database.one<HeldFiring>(HOLD, [id, claim]);
  }

  /** Puts it back into the queue for the triggers that are left. */
  async goOn({ id, claim }: ClaimedFiring, triggerIds: readonly string[], attempts: number): Promise<void> {
    await this.database.execute(GO_ON, [id, claim, triggerIds, attempts]);
  }

  /** Puts it back into the queue, for an attempt after some seconds. */
  async postpone({ id, claim }: ClaimedFiring, seconds: number): Promise<void> {
    await this.database.execute(POSTPONE, [id, claim, seconds]);
  }

  async finish({ id, claim }: ClaimedFiring): Promise<void> {
    await this.database.execute('DELETE FROM waiting_firings WHERE id = $1 AND claim = $2', [id, claim]);
  }

  /** Puts back what processes had that are gone. Returns how many these are. */
  async release(): Promise<number> {
    return (await this.database.execute(RELEASE)).count;
  }
}

const CLAIMED = columns(WaitingFiring, 'f', 'id', 'workspaceId', 'claim', 'attempts');

const ADD = `
  INSERT INTO waiting_firings (id, workspace_id)
  SELECT v.id, v.workspace_id
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS v(id, workspace_id, environment_id, type)
  WHERE EXISTS (
    SELECT FROM triggers t WHERE t.workspace_id = v.workspace_id AND t.event_type = v.type AND t.enabled
      AND (v.environment_id IS NULL OR t.environment_id = v.environment_id))
  ORDER BY v.id
  ON CONFLICT DO NOTHING`;

const PICKED = fairClaim(
  {
    table: 'waiting_firings',
    columns: ['id'],
    waits: 'worker_id IS NULL AND due_at <= now()',
    taken: 'worker_id IS NOT NULL',
  },
  { worker: '$1', room: '$2::int', share: '$3' },
);

/** The commit does not wait for the disk: a database that crashes then has lost no more than the count of an attempt. */
const CLAIM = `
  WITH RECURSIVE quick AS MATERIALIZED (
    SELECT set_config('synchronous_commit', 'off', true)
  ), ${PICKED}, taken AS (
    UPDATE waiting_firings f SET claim = claim + 1, attempts = attempts + 1, worker_id = $1, lease_until = now() + ${LEASE}
    FROM quick WHERE id IN (SELECT id FROM picked)
    RETURNING ${CLAIMED}
  )
  SELECT claim_summary.*, taken.* FROM claim_summary LEFT JOIN taken ON true`;

const RENEW = `
  UPDATE waiting_firings f SET lease_until = now() + ${LEASE}
  FROM unnest($1::text[], $2::int[]) AS mine(id, claim)
  WHERE f.id = mine.id AND f.claim = mine.claim AND f.worker_id IS NOT NULL RETURNING f.id`;

const EVENT = columns(
  OutboxEvent,
  'v',
  'id',
  'workspaceId',
  'environmentId',
  'type',
  'data',
  'causedByRunId',
  'traceparent',
);

const HOLD = `
  SELECT ${EVENT}, ${columns(WaitingFiring, 'f', 'triggerIds')}
  FROM waiting_firings f JOIN events v ON v.id = f.id WHERE f.id = $1 AND f.claim = $2 AND f.worker_id IS NOT NULL
  FOR UPDATE OF f`;

const BACK = 'worker_id = NULL, lease_until = NULL';

const GO_ON = `
  UPDATE waiting_firings SET ${BACK}, trigger_ids = $3, attempts = $4 WHERE id = $1 AND claim = $2`;

const POSTPONE = `
  UPDATE waiting_firings SET ${BACK}, due_at = now() + $3::int * interval '1 second' WHERE id = $1 AND claim = $2`;

const RELEASE = `UPDATE waiting_firings SET ${BACK} WHERE worker_id IS NOT NULL AND ${LEASE_IS_LOST}`;

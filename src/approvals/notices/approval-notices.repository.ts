import { Injectable } from '@nestjs/common';

import { Database } from '../../core/database/database.js';
import { type Expired, Expires } from '../../core/work/expires.decorator.js';
import { mayDecide } from '../who-may-decide.js';
import type { ApprovalNotice } from './approval-notice.entity.js';

/** A request expires after as long, and nobody is told of it any more. */
const KEPT_MS = 24 * 60 * 60 * 1000;

export type NewNotice = Pick<ApprovalNotice, 'id' | 'channel' | 'requestIds' | 'secondPersonIds'>;

export interface ClaimedNotice extends NewNotice {
  /** From 1. */
  attempt: number;
}

export interface RequestRow {
  id: string;
  title: string;
  summary: string;
  reason: string;
  askedBy: string | null;
  environment: string | null;
}

/** What is pending still: how many requests, and the first few. */
export interface PendingRequests {
  slug: string;
  name: string;
  count: number;
  requests: RequestRow[];
}

export interface DecidingPerson {
  email: string;
  name: string;
  count: number;
  requests: RequestRow[];
}

@Injectable()
export class ApprovalNoticesRepository {
  constructor(private readonly database: Database) {}

  async insert(notices: readonly NewNotice[]): Promise<void> {
    await this.database.execute(INSERT, [JSON.stringify(notices)]);
  }

  /**
   * Leases due notices for so many seconds; those of a process that dies meanwhile become due again.
   *
   * @param rooms how many each channel takes
   */
  claim(rooms: ReadonlyMap<string, number>, leaseSeconds: number): Promise<ClaimedNotice[]> {
    return this.database.query<ClaimedNotice>(CLAIM, [[...rooms.keys()], [...rooms.values()], leaseSeconds]);
  }

  /** null: all of them are decided. */
  pending({ requestIds }: NewNotice): Promise<PendingRequests | null> {
    return this.database.one<PendingRequests>(PENDING, [requestIds]);
  }

  /** Everybody who may decide at least one of those that are pending. */
  people({ requestIds, secondPersonIds }: NewNotice): Promise<DecidingPerson[]> {
    return this.database.query<DecidingPerson>(PEOPLE, [requestIds, secondPersonIds]);
  }

  /** Does nothing when another process has begun a later attempt. */
  async retryIn(seconds: number, { id, attempt }: ClaimedNotice): Promise<void> {
    await this.database.execute(
      `UPDATE approval_notices SET due_at = now() + $3::integer * interval '1 second' WHERE id = $1 AND attempts = $2`,
      [id, attempt, seconds],
    );
  }

  async delete(id: string): Promise<void> {
    await this.database.execute('DELETE FROM approval_notices WHERE id = $1', [id]);
  }

  /** Those of channels that are gone. */
  @Expires({ after: KEPT_MS })
  async deleteOld({ age, most }: Expired): Promise<number> {
    return (await this.database.execute(DELETE_OLD, [age, most])).count;
  }
}

const INSERT = `
  INSERT INTO approval_notices (id, channel, request_ids, second_person_ids)
  SELECT given.id, given.channel, given."requestIds", given."secondPersonIds"
  FROM json_to_recordset($1) AS given (id text, channel text, "requestIds" text[], "secondPersonIds" text[])`;

const CLAIM = `
  UPDATE approval_notices SET attempts = attempts + 1, due_at = now() + $3::integer * interval '1 second'
  WHERE id IN (
    SELECT due.id FROM unnest($1::text[], $2::integer[]) AS c (channel, room), LATERAL (
      SELECT n.id FROM approval_notices n WHERE n.channel = c.channel AND n.due_at <= now()
      ORDER BY n.due_at LIMIT c.room FOR UPDATE SKIP LOCKED) AS due)
  RETURNING id, channel, request_ids AS "requestIds", second_person_ids AS "secondPersonIds", attempts AS attempt`;

/** Of the first ids of each group: a summary may have 30 KB, so that no more of them are read than are told. */
const FIRST_REQUESTS = `
  (SELECT json_agg(json_build_object('id', r.id, 'title', r.title, 'summary', r.summary, 'reason', r.reason,
    'askedBy', asker.name, 'environment', e.name) ORDER BY r.id)
  FROM approval_requests r
    LEFT JOIN environments e ON e.id = r.environment_id AND e.deleted_at IS NULL
    LEFT JOIN users asker ON asker.id = r.requested_by_user_id
  WHERE r.id = ANY(known.ids[1:10])) AS requests`;

const IDS = 'array_agg(a.id ORDER BY a.id) AS ids';

const ARE_PENDING = `a.id = ANY($1::text[]) AND a.status = 'pending' AND a.expires_at > now()`;

const PENDING = `
  SELECT w.slug, w.name, cardinality(ids) AS count, ${FIRST_REQUESTS}
  FROM (SELECT a.workspace_id, ${IDS} FROM approval_requests a WHERE ${ARE_PENDING} GROUP BY a.workspace_id) AS known
    JOIN workspaces w ON w.id = known.workspace_id`;

const PEOPLE = `
  SELECT u.email, u.name, cardinality(ids) AS count, ${FIRST_REQUESTS}
  FROM (
    SELECT m.user_id, ${IDS} FROM approval_requests a JOIN memberships m ON m.workspace_id = a.workspace_id
    WHERE ${ARE_PENDING} AND ${mayDecide({ request: 'a', role: 'm.role', user: 'm.user_id' })}
      AND NOT (a.id = ANY($2::text[]) AND a.behind_user_id IS NOT DISTINCT FROM m.user_id)
    GROUP BY m.user_id) AS known
    JOIN users u ON u.id = known.user_id`;

const DELETE_OLD = `
  DELETE FROM approval_notices WHERE id IN (
    SELECT id FROM approval_notices WHERE created_at < now() - $1::double precision * interval '1 millisecond'
    ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)`;

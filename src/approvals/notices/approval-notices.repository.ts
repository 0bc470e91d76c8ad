import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import { Database, inSeconds, type RowOf } from '../../core/database/index.js';
import { deleteOldest, type Expired, Expires } from '../../core/work/index.js';
import { ApprovalNotice } from './approval-notice.entity.js';
import { ApprovalNoticeTurn } from './approval-notice-turn.entity.js';
import { CLAIM, type CLAIMED, PENDING, PEOPLE, REQUESTS } from './approval-notices.sql.js';

/** A request expires after as long, and nobody is told of it any more. */
const KEPT_MS = 24 * 60 * 60 * 1000;

type NewNotice = Pick<ApprovalNotice, 'id' | 'workspaceId' | 'channel' | 'requestIds' | 'secondPersonIds'>;

/** Notices of a workspace that are told as one. `attempts` counts the one that they were claimed for. */
export interface ClaimedNotice extends Pick<ApprovalNotice, 'id' | 'channel' | 'attempts'> {
  requestIds: string[];
  secondPersonIds: string[];
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
interface PendingRequests {
  workspaceId: string;
  slug: string;
  name: string;
  count: number;
  ids: string[];
}

interface DecidingPerson {
  email: string;
  name: string;
  count: number;
  /** The first ten. */
  ids: string[];
}

@Injectable()
export class ApprovalNoticesRepository {
  constructor(
    @InjectRepository(ApprovalNotice) private readonly notices: Repository<ApprovalNotice>,
    @InjectRepository(ApprovalNoticeTurn) private readonly turns: Repository<ApprovalNoticeTurn>,
    private readonly database: Database,
  ) {}

  async insert(notices: NewNotice[]): Promise<void> {
    await this.notices.insert(notices);
  }

  /**
   * Leases due notices for so many seconds, those of a workspace together; those of a process that dies meanwhile become due
   * again.
   *
   * @param rooms how many each channel takes
   */
  async claim(rooms: ReadonlyMap<string, number>, leaseSeconds: number): Promise<ClaimedNotice[]> {
    const parameters = [[...rooms.keys()], [...rooms.values()], leaseSeconds];
    const rows = await this.database.query<RowOf<typeof CLAIMED>>(CLAIM, parameters);
    return [...Map.groupBy(rows, ({ noticeId }) => noticeId!)].map(([id, together]) => ({
      id,
      channel: together[0]!.channel,
      attempts: Math.max(...together.map(({ attempts }) => attempts)),
      requestIds: together.flatMap(({ requestIds }) => requestIds),
      secondPersonIds: together.flatMap(({ secondPersonIds }) => secondPersonIds),
    }));
  }

  /** null: all of them are decided. */
  pending({ requestIds }: ClaimedNotice): Promise<PendingRequests | null> {
    return this.database.one<PendingRequests>(PENDING, [requestIds]);
  }

  /** Everybody who may decide at least one of those that are pending. */
  people({ requestIds, secondPersonIds }: ClaimedNotice): Promise<DecidingPerson[]> {
    return this.database.query<DecidingPerson>(PEOPLE, [requestIds, secondPersonIds]);
  }

  async requests(ids: readonly string[]): Promise<Map<string, RequestRow>> {
    const rows = await this.database.query<RequestRow>(REQUESTS, [ids]);
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** Does nothing when another process has begun a later attempt. */
  async retryIn(seconds: number, { id, attempts }: ClaimedNotice): Promise<void> {
    await this.notices.update({ noticeId: id, attempts }, { dueAt: inSeconds(seconds) });
  }

  async delete(noticeId: string): Promise<void> {
    await this.notices.delete({ noticeId });
  }

  /** Those of channels that are gone. */
  @Expires({ after: KEPT_MS })
  deleteOld(expired: Expired): Promise<number> {
    return deleteOldest(this.notices, 'createdAt', expired);
  }

  /** Those of workspaces of which nothing was told for long. */
  @Expires({ after: KEPT_MS })
  deleteOldTurns(expired: Expired): Promise<number> {
    return deleteOldest(this.turns, 'nextAt', expired);
  }
}

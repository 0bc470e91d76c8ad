import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import { Database, inSeconds, type RowOf } from '../../core/database/index.js';
import { deleteOldest, type Expired, Expires } from '../../core/work/index.js';
import { ApprovalNotice } from './approval-notice.entity.js';
import { CLAIM, type CLAIMED, PENDING, PEOPLE } from './approval-notices.sql.js';

/** A request expires after as long, and nobody is told of it any more. */
const KEPT_MS = 24 * 60 * 60 * 1000;

export type NewNotice = Pick<ApprovalNotice, 'id' | 'channel' | 'requestIds' | 'secondPersonIds'>;

/** `attempts` counts the one that it was claimed for. */
export type ClaimedNotice = RowOf<typeof CLAIMED>;

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
  constructor(
    @InjectRepository(ApprovalNotice) private readonly notices: Repository<ApprovalNotice>,
    private readonly database: Database,
  ) {}

  async insert(notices: NewNotice[]): Promise<void> {
    await this.notices.insert(notices);
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
  async retryIn(seconds: number, { id, attempts }: ClaimedNotice): Promise<void> {
    await this.notices.update({ id, attempts }, { dueAt: inSeconds(seconds) });
  }

  async delete(id: string): Promise<void> {
    await this.notices.delete({ id });
  }

  /** Those of channels that are gone. */
  @Expires({ after: KEPT_MS })
  deleteOld(expired: Expired): Promise<number> {
    return deleteOldest(this.notices, 'createdAt', expired);
  }
}

import { Injectable } from '@nestjs/common';

import { type AuditActor, SYSTEM } from '../audit/index.js';
import type { Caller } from '../core/access/index.js';
import { Settings } from '../core/config/index.js';
import { Database } from '../core/database/index.js';
import { ApprovalEndNotifier } from './approval-end-notifier.js';
import { ApprovalFilingService, type NewApproval } from './approval-filing.service.js';
import type { FiledApprovalDto } from './approval.dto.js';
import { approveUrl } from './approval.presenter.js';
import type { ApprovalRow } from './approval-columns.sql.js';
import type { ApprovalRequest } from './approval-request.entity.js';
import { ApprovalRequestsRepository } from './approval-requests.repository.js';
import { ApprovalsRepository } from './approvals.repository.js';

export type ApprovedBefore = Pick<ApprovalRequest, 'input' | 'decidedAt'>;

/** What other domains do with approvals. */
@Injectable()
export class ApprovalsService {
  constructor(
    private readonly filing: ApprovalFilingService,
    private readonly approvals: ApprovalsRepository,
    private readonly requests: ApprovalRequestsRepository,
    private readonly endNotifier: ApprovalEndNotifier,
    private readonly database: Database,
    private readonly settings: Settings,
  ) {}

  /**
   * Asks a person; part of the surrounding transaction where there is one.
   *
   * @throws Conflict where it takes a second person and there is none
   */
  async file(approval: NewApproval): Promise<FiledApprovalDto> {
    const { id } = await this.filing.file(approval);
    return { id, approveUrl: approveUrl(this.settings.baseUrl, id) };
  }

  /** For what waits for its end; null: it is gone. */
  find(workspaceId: string, id: string): Promise<ApprovalRow | null> {
    return this.requests.find(workspaceId, id);
  }

  /** What was approved the last time of all that are filed with the same `comparedBy`, as long as its input is kept. */
  lastApproved(comparedBy: string): Promise<ApprovedBefore | null> {
    return this.requests.lastApproved(comparedBy);
  }

  /** As `file`, for many at once, also of several workspaces, in a few statements. */
  async fileMany(approvals: readonly NewApproval[]): Promise<void> {
    await this.filing.fileMany(approvals);
  }

  /**
   * Ends requests that are needed no more, such as that of a held run that was cancelled. Part of the surrounding
   * transaction, to be called before what they are about is locked: deciding takes the locks in this order, too. What
   * is decided already stays as it is.
   */
  expire(ids: readonly string[], by: Caller | AuditActor = SYSTEM): Promise<void> {
    if (ids.length === 0) return Promise.resolve();
    return this.database.transaction(async () => {
      await this.endNotifier.tellExpired(await this.approvals.expire(ids), by);
    });
  }
}

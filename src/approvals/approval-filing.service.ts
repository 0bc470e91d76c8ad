import { Injectable } from '@nestjs/common';

import { newId } from '../core/crypto/index.js';
import { Database } from '../core/database/index.js';
import type { ActionSummary } from './approval-action.js';
import { ApprovalActions } from './approval-actions.js';
import type { ApprovalRow } from './approval-columns.sql.js';
import { ApprovalNoticeQueue } from './notices/approval-notice-queue.js';
import { approvalEvent } from './approval.events.js';
import { ApprovalsRepository } from './approvals.repository.js';
import type { NewApprovalRow } from './approvals.sql.js';
import type { Asker } from './asker.js';
import { DAY_MINUTES } from './registered-action.js';
import { assertSecondPerson } from './who-may-decide.js';

export interface NewApproval {
  /** By default a new one; given where the caller has recorded it already. */
  id?: string;
  workspaceId: string;
  /** Where it is to be done. */
  environmentId: string;
  /** An action's id, internal ones included. */
  action: string;
  /** As `summarise` of the action says, or would. */
  summary: string | ActionSummary;
  /** Valid by the action's schema; it is not checked again. */
  input: Record<string, unknown>;
  /** The same for requests of which each is compared with the last one that was approved. */
  comparedBy?: string;
  reason: string;
  asker: Asker;
  /** The run that it is about. */
  runId?: string;
  /** Whose owner may decide as well, as long as they see the script. */
  script?: { id: string; ownerUserId: string | null };
  /** Whether the person who asks decides only where nobody else could. */
  askerLast?: boolean;
}

/** Asks people. Part of the surrounding transaction where there is one. */
@Injectable()
export class ApprovalFilingService {
  constructor(
    private readonly approvals: ApprovalsRepository,
    private readonly actions: ApprovalActions,
    private readonly notices: ApprovalNoticeQueue,
    private readonly database: Database,
  ) {}

  /** @throws Conflict where it takes a second person and there is none */
  async file(approval: NewApproval): Promise<ApprovalRow> {
    const [filed] = await this.fileMany([approval]);
    return filed!;
  }

  /** As `file`, for many at once, also of several workspaces, in a few statements. */
  fileMany(approvals: readonly NewApproval[]): Promise<ApprovalRow[]> {
    if (approvals.length === 0) return Promise.resolve([]);
    const rows = approvals.map((approval) => this.rowOf(approval));
    const events = rows.map((row) =>
      approvalEvent('approval.requested', { ...row, status: 'pending', decidedBy: null }),
    );
    const entries = rows.map(({ id, workspaceId, action }, index) => ({
      workspaceId,
      by: approvals[index]!.asker.actor,
      action: 'approval.requested' as const,
      target: { type: 'approval_request', id },
      details: { action },
    }));
    return this.database.transaction(async () => {
      const filed = await this.approvals.insertMany(rows, events, entries);
      const secondPersons = await this.requireSecondPersons(rows);
      await this.notices.tell(rows, secondPersons);
      return filed;
    });
  }

  private rowOf(approval: NewApproval): NewApprovalRow {
    const { provider, leastRole } = this.actions.get(approval.action);
    const { asker, script, askerLast = false } = approval;
    const summary = typeof approval.summary === 'string' ? { text: approval.summary } : approval.summary;
    return {
      id: approval.id ?? newId('approval'),
      workspaceId: approval.workspaceId,
      environmentId: approval.environmentId,
      action: approval.action,
      title: provider.title,
      summary: summary.text,
      about: summary.about ?? null,
      input: approval.input,
      comparedBy: approval.comparedBy ?? null,
      reason: approval.reason,
      leastRole,
      scriptId: script?.id ?? null,
      scriptOwnerUserId: script?.ownerUserId ?? null,
      askerLast,
      requestedByUserId: asker.userId,
      credentialKind: asker.credentialKind,
      credentialId: asker.credentialId,
      credentialName: asker.actor.credentialName,
      runId: approval.runId ?? null,
      secretName: provider.secret?.name ?? null,
      secretEnvVar: provider.secret?.envVar ?? null,
      lifetimeMinutes: provider.lifetimeMinutes ?? DAY_MINUTES,
    };
  }

  /** The ids of those that nobody may decide who asked for them. */
  private async requireSecondPersons(rows: readonly NewApprovalRow[]): Promise<Set<string>> {
    const found = new Set<string>();
    for (const { id, workspaceId, action } of rows) {
      const { provider } = this.actions.get(action);
      if (!provider.needsSecondPerson || !(await provider.needsSecondPerson(workspaceId))) continue;
      const { behindUserId, others } = await this.approvals.secondPersons(id);
      assertSecondPerson(behindUserId, others);
      found.add(id);
    }
    return found;
  }
}

import { Injectable } from '@nestjs/common';

import { type AuditActor, AuditTrail, SYSTEM } from '../audit/index.js';
import type { Caller } from '../core/access/caller.js';
import { Settings } from '../core/config/settings.js';
import { newId } from '../core/crypto/ids.js';
import { Database } from '../core/database/database.js';
import type { ActionSummary } from './approval-action.js';
import { ApprovalActions } from './approval-actions.js';
import { ApprovalEndings } from './approval-endings.js';
import { ApprovalNotices } from './approval-notices.js';
import type { FiledApprovalDto } from './approval.dto.js';
import { ApprovalEvents } from './approval.events.js';
import { approveUrl } from './approval.presenter.js';
import { ApprovalsRepository, type NewApprovalRow } from './approvals.repository.js';
import type { Asker } from './asker.js';
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
  reason: string;
  asker: Asker;
  /** The held run that it is about. */
  runId?: string;
  /** Whose owner may decide as well, as long as they see the script. */
  script?: { id: string; ownerUserId: string | null };
  /** Whether the person who asks decides only where nobody else could. */
  askerLast?: boolean;
}

/** What other domains do with approvals. */
@Injectable()
export class ApprovalsService {
  constructor(
    private readonly approvals: ApprovalsRepository,
    private readonly actions: ApprovalActions,
    private readonly endings: ApprovalEndings,
    private readonly events: ApprovalEvents,
    private readonly notices: ApprovalNotices,
    private readonly audit: AuditTrail,
    private readonly database: Database,
    private readonly settings: Settings,
  ) {}

  /**
   * Asks a person; part of the surrounding transaction where there is one.
   *
   * @throws Conflict where it takes a second person and there is none
   */
  async file(approval: NewApproval): Promise<FiledApprovalDto> {
    const [filed] = await this.fileMany([approval]);
    return filed!;
  }

  /** As `file`, for many at once, also of several workspaces, in a few statements. Returns them in the same order. */
  fileMany(approvals: readonly NewApproval[]): Promise<FiledApprovalDto[]> {
    if (approvals.length === 0) return Promise.resolve([]);
    const rows = approvals.map((approval) => this.rowOf(approval));
    return this.database.transaction(async () => {
      await this.approvals.insertMany(rows);
      const secondPersons = await this.requireSecondPersons(rows);
      await this.events.tell(
        'approval.requested',
        rows.map((row) => ({
          id: row.id,
          workspaceId: row.workspaceId,
          action: row.action,
          title: row.title,
          runId: row.runId,
          status: 'pending',
          decidedBy: null,
        })),
      );
      await this.audit.recordMany(
        rows.map(({ id, workspaceId, action }, index) => ({
          workspaceId,
          by: approvals[index]!.asker.actor,
          action: 'approval.requested' as const,
          target: { type: 'approval_request', id },
          details: { action },
        })),
      );
      await this.notices.tell(
        rows.map(({ id }) => id),
        secondPersons,
      );
      return rows.map(({ id }) => ({ id, approveUrl: approveUrl(this.settings.baseUrl, id) }));
    });
  }

  /**
   * Ends requests that are needed no more, such as that of a held run that was cancelled. Part of the surrounding
   * transaction, to be called before what they are about is locked: deciding takes the locks in this order, too. What
   * is decided already stays as it is.
   */
  expire(ids: readonly string[], by: Caller | AuditActor = SYSTEM): Promise<void> {
    if (ids.length === 0) return Promise.resolve();
    return this.database.transaction(async () => {
      await this.endings.tellExpired(await this.approvals.expire(ids), by);
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
      reason: approval.reason,
      leastRole,
      scriptId: script?.id ?? null,
      scriptOwnerUserId: script?.ownerUserId ?? null,
      askerLast,
      requestedByUserId: asker.userId,
      credentialKind: asker.credentialKind,
      credentialId: asker.credentialId,
      runId: approval.runId ?? null,
      secretName: provider.secret?.name ?? null,
      secretEnvVar: provider.secret?.envVar ?? null,
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

import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, Raw, type Repository } from 'typeorm';

import { type AuditEntry, auditEvents } from '../audit/index.js';
import type { ActingEnvironment, Person, Role, WorkspaceCaller } from '../core/access/index.js';
import { Database, isPast } from '../core/database/index.js';
import { stringifyJson } from '../core/json/index.js';
import { type NewEvent, Outbox } from '../core/outbox/index.js';
import type { ApprovalRow } from './approval-columns.sql.js';
import { ApprovalRequest } from './approval-request.entity.js';
import {
  DECIDE,
  type Decision,
  INSERT_MANY,
  type NewApprovalRow,
  READ_LOCKED,
  SECOND_PERSONS,
  type Told,
} from './approvals.sql.js';

/** In the words of the index on those that are open. */
const OPEN = Raw((status) => `${status} IN ('pending', 'approved')`);

export type GoneAsker = 'person' | 'api_key' | 'app';

/** A locked request with all that deciding or redeeming it depends on, as it is now. */
export interface LockedApproval
  extends
    ApprovalRow,
    Pick<ApprovalRequest, 'workspaceId' | 'about' | 'behindUserId' | 'credentialKind' | 'credentialId'> {
  workspace: WorkspaceCaller['workspace'];
  /** Who decides, or has approved. `role: null`: not a member any more. */
  person: Person & { role: Role | null };
  mayDecide: boolean;
  /** Who asked is not there any more: the person is no member, the key is revoked, the app disconnected. */
  askerGone: GoneAsker | null;
  /** Where it is to be done; null: deleted. */
  environment: ActingEnvironment | null;
}

/** A request that has ended, as far as others are told. */
export type EndedApproval = Pick<
  ApprovalRequest,
  'id' | 'workspaceId' | 'action' | 'title' | 'input' | 'runId' | 'decidedByUserId' | 'decidedBy'
>;

const ENDED = {
  id: true,
  workspaceId: true,
  action: true,
  title: true,
  input: true,
  runId: true,
  decidedByUserId: true,
  decidedBy: { id: true, name: true },
} as const;

/** Filing, deciding and ending requests. */
@Injectable()
export class ApprovalsRepository {
  constructor(
    @InjectRepository(ApprovalRequest) private readonly requests: Repository<ApprovalRequest>,
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  /** Writes requests with their events and audit events, in one statement. */
  async insertMany(
    requests: readonly NewApprovalRow[],
    events: readonly NewEvent[],
    entries: readonly AuditEntry[],
  ): Promise<ApprovalRow[]> {
    const rows = await this.database.query<ApprovalRow>(
      ...INSERT_MANY({ requests: stringifyJson(requests), ...this.told(events, entries) }),
    );
    this.outbox.wake();
    return rows;
  }

  /** Who is behind a request, and how many besides may decide it. */
  async secondPersons(id: string): Promise<{ behindUserId: string | null; others: number }> {
    return (await this.database.one<{ behindUserId: string | null; others: number }>(SECOND_PERSONS, [id]))!;
  }

  /**
   * Locks a request until the transaction ends. `personId`: who decides; null for the person who has approved.
   * null: there is no such request in the workspace.
   */
  async lock(workspaceId: string, id: string, personId: string | null): Promise<LockedApproval | null> {
    const lock = { mode: 'pessimistic_write' } as const;
    const locked = await this.requests.findOne({ select: { id: true }, where: { workspaceId, id }, lock });
    if (!locked) return null;
    // A statement of its own: what it reads is as it is after the wait for the lock, not as it was before.
    return this.database.one<LockedApproval>(READ_LOCKED, [id, personId]);
  }

  /** Writes what a request came to with its events and audit events, in one statement. */
  async decide(
    { result, ...decision }: Decision,
    events: readonly NewEvent[],
    entries: readonly AuditEntry[],
  ): Promise<ApprovalRow> {
    const row = await this.database.one<ApprovalRow>(
      ...DECIDE({ ...decision, result: result && JSON.stringify(result), ...this.told(events, entries) }),
    );
    if (events.length > 0) this.outbox.wake();
    return row!;
  }

  /** Those of the requests that were still open. */
  async expire(ids: readonly string[]): Promise<EndedApproval[]> {
    const open = await this.requests.find({
      select: { id: true },
      where: { id: Any(ids), status: OPEN },
      order: { id: 'ASC' },
      lock: { mode: 'pessimistic_write' },
    });
    return this.markExpired(open);
  }

  /** The ids of requests whose time is up and that are not marked yet, the oldest first, after so many of them. */
  async due(skipped: number, limit: number): Promise<string[]> {
    const due = await this.requests.find({
      select: { id: true },
      where: { status: OPEN, expiresAt: isPast() },
      order: { expiresAt: 'ASC', id: 'ASC' },
      skip: skipped,
      take: limit,
    });
    return due.map(({ id }) => id);
  }

  /** Marks requests whose time is up. Those that somebody decides just now are left to them. */
  async expireDue(limit: number): Promise<EndedApproval[]> {
    const due = await this.requests.find({
      select: { id: true },
      where: { status: OPEN, expiresAt: isPast() },
      order: { expiresAt: 'ASC' },
      take: limit,
      lock: { mode: 'pessimistic_write', onLocked: 'skip_locked' },
    });
    return this.markExpired(due);
  }

  private async markExpired(locked: readonly Pick<ApprovalRequest, 'id'>[]): Promise<EndedApproval[]> {
    if (locked.length === 0) return [];
    const id = Any(locked.map((request) => request.id));
    await this.requests.update({ id }, { status: 'expired' });
    return this.requests.find({ select: ENDED, where: { id }, relations: { decidedBy: true } });
  }

  private told(events: readonly NewEvent[], entries: readonly AuditEntry[]): Told {
    return { events: this.outbox.rowsOf(events), auditEvents: auditEvents(entries) };
  }
}

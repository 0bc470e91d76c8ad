import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository, SelectQueryBuilder } from 'typeorm';

import type { WorkspaceCaller } from '../core/access/index.js';
import { Database } from '../core/database/index.js';
import { type ApprovalRow, approvalColumns } from './approval-columns.sql.js';
import { FIND_EARLIER, listSql } from './approval-lists.sql.js';
import { ApprovalRequest } from './approval-request.entity.js';
import type { ApprovalStatus } from './approval.status.js';
import { mayDecide } from './who-may-decide.js';

/** A request as somebody reads it in the app. */
export type PersonsApprovalRow = ApprovalRow & Pick<ApprovalRequest, 'behindUserId'> & { mayDecide: boolean };

/** Reading requests. */
@Injectable()
export class ApprovalRequestsRepository {
  constructor(
    @InjectRepository(ApprovalRequest) private readonly requests: Repository<ApprovalRequest>,
    private readonly database: Database,
  ) {}

  /** For what waits for its end. */
  async find(workspaceId: string, id: string): Promise<ApprovalRow | null> {
    return (await this.one(workspaceId, id).getRawOne<ApprovalRow>()) ?? null;
  }

  /** The last one that was approved of those that are compared with each other. */
  lastApproved(comparedBy: string): Promise<Pick<ApprovalRequest, 'input' | 'decidedAt'> | null> {
    return this.requests.findOne({
      select: { id: true, input: true, decidedAt: true },
      where: { comparedBy, status: 'completed' },
      order: { id: 'DESC' },
    });
  }

  /** In the app: for who asked and who may decide. */
  async findForPerson(
    { workspace, person, role }: WorkspaceCaller,
    id: string,
  ): Promise<PersonsApprovalRow | null> {
    const decidable = mayDecide({ request: 'a', role: ':role', user: ':userId' });
    const found = await this.one(workspace.id, id)
      .addSelect('a.behindUserId', 'behindUserId')
      .addSelect(decidable, 'mayDecide')
      .andWhere(`(a.requestedByUserId = :userId OR ${decidable})`, { userId: person!.id, role })
      .getRawOne<PersonsApprovalRow>();
    return found ?? null;
  }

  /** The last one like it that was approved, of those that the person may read: by the same action, about the same script. */
  findEarlier({ workspace, person, role }: WorkspaceCaller, id: string): Promise<ApprovalRow | null> {
    return this.database.one<ApprovalRow>(FIND_EARLIER, [workspace.id, id, person!.id, role]);
  }

  /** For the token, grant or key that asked. */
  async findForCredential(caller: WorkspaceCaller, id: string): Promise<ApprovalRow | null> {
    const { workspace, kind, credentialId } = caller;
    const found = await this.one(workspace.id, id)
      .andWhere({ credentialKind: kind, credentialId })
      .getRawOne<ApprovalRow>();
    return found ?? null;
  }

  /** One's own and those that one may decide, newest first. */
  list(
    { workspace, person, role }: WorkspaceCaller,
    status: ApprovalStatus | undefined,
    after: string | null,
    count: number,
  ): Promise<PersonsApprovalRow[]> {
    const parameters = [workspace.id, person!.id, role];
    if (after !== null) parameters.push(after);
    return this.database.queryOnce(listSql(role, status, after !== null, count), parameters);
  }

  private one(workspaceId: string, id: string): SelectQueryBuilder<ApprovalRequest> {
    return this.requests
      .createQueryBuilder('a')
      .leftJoin('a.decidedBy', 'd')
      .select(approvalColumns())
      .where({ workspaceId, id });
  }
}

import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, type Repository } from 'typeorm';

import { type AuditActor, AuditTrail } from '../audit/index.js';
import { Database } from '../core/database/index.js';
import { Workspace } from './workspace.entity.js';

/** The plan of a workspace, which only the operator changes. For the command line: it needs nothing but the database. */
@Injectable()
export class WorkspacePlansService {
  constructor(
    @InjectRepository(Workspace) private readonly workspaces: Repository<Workspace>,
    private readonly database: Database,
    private readonly audit: AuditTrail,
  ) {}

  /** Returns the plan until now, or null where there is no workspace of that slug. */
  setPlan(slug: string, plan: string, by: AuditActor): Promise<string | null> {
    return this.database.transaction(async () => {
      const where = { slug, deletedAt: IsNull() };
      const before = await this.workspaces.findOne({ where, lock: { mode: 'pessimistic_write' } });
      if (!before) return null;
      const { id, plan: previousPlan } = before;
      await this.workspaces.update({ id }, { plan });
      const target = { type: 'workspace', id };
      await this.audit.record(id, by, 'workspace.plan_changed', target, { plan, previousPlan });
      return previousPlan;
    });
  }
}

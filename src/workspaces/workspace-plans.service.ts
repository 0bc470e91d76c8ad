import { Injectable } from '@nestjs/common';

import { type AuditActor, AuditTrail } from '../audit/index.js';
import { columns, Database, type RowOf } from '../core/database/index.js';
import { Workspace } from './workspace.entity.js';

const CHANGED = columns(Workspace, 'w', 'id');

type Changed = RowOf<typeof CHANGED> & { previousPlan: Workspace['plan'] };

/** The plan of a workspace, which only the operator changes. For the command line: it needs nothing but the database. */
@Injectable()
export class WorkspacePlansService {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditTrail,
  ) {}

  /** Returns the plan until now, or null where there is no workspace of that slug. */
  setPlan(slug: string, plan: string, by: AuditActor): Promise<string | null> {
    return this.database.transaction(async () => {
      const changed = await this.database.one<Changed>(SET_PLAN, [slug, plan]);
      if (!changed) return null;
      const { id, previousPlan } = changed;
      const target = { type: 'workspace', id };
      await this.audit.record(id, by, 'workspace.plan_changed', target, { plan, previousPlan });
      return previousPlan;
    });
  }
}

const SET_PLAN = `
  UPDATE workspaces w SET plan = $2
  FROM (SELECT id, plan FROM workspaces WHERE slug = $1 AND deleted_at IS NULL FOR UPDATE) AS before
  WHERE w.id = before.id RETURNING ${CHANGED}, before.plan AS "previousPlan"`;

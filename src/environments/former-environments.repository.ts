import { Injectable } from '@nestjs/common';

import type { EnvironmentRule } from '../core/access/approval-policy.js';
import { columns, type RowOf } from '../core/database/columns.js';
import { Database } from '../core/database/database.js';
import { FormerEnvironment } from './former-environment.entity.js';

const RULE = columns(FormerEnvironment, 'f', 'approvalPolicy', 'agentsAllowed');

/** Remembers rules of names, so that nobody gets around one by giving its name to a new environment. */
@Injectable()
export class FormerEnvironmentsRepository {
  constructor(private readonly database: Database) {}

  /** In place of what was remembered of the name before. */
  async remember(workspaceId: string, name: string, rule: EnvironmentRule): Promise<void> {
    const { approvalPolicy, agentsAllowed } = rule;
    await this.database.execute(REMEMBER, [workspaceId, name, approvalPolicy, agentsAllowed]);
  }

  /** null: no environment has lost the name yet. */
  ruleOf(workspaceId: string, name: string): Promise<EnvironmentRule | null> {
    return this.database.one<RowOf<typeof RULE>>(RULE_OF, [workspaceId, name]);
  }
}

const REMEMBER = `
  INSERT INTO former_environments (workspace_id, name, approval_policy, agents_allowed) VALUES ($1, $2, $3, $4)
  ON CONFLICT (workspace_id, name) DO UPDATE
    SET approval_policy = excluded.approval_policy, agents_allowed = excluded.agents_allowed`;

const RULE_OF = `SELECT ${RULE} FROM former_environments f WHERE f.workspace_id = $1 AND f.name = $2`;

import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

import { APPROVAL_POLICIES } from '../core/access/approval-policy.js';
import type { ApprovalPolicy } from '../core/access/caller.js';
import { ID, oneOf } from '../core/database/entity-columns.js';

/** The rule under which a name stood until its environment was renamed or deleted. */
@Entity('former_environments')
@Check('former_environments_approval_policy_check', oneOf('approval_policy', APPROVAL_POLICIES))
export class FormerEnvironment {
  @ForeignKey('Workspace')
  @PrimaryColumn(ID)
  workspaceId!: string;

  @PrimaryColumn('text')
  name!: string;

  @Column('text')
  approvalPolicy!: ApprovalPolicy;

  @Column('boolean')
  agentsAllowed!: boolean;
}

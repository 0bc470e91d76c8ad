import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

import { APPROVAL_POLICIES, type ApprovalPolicy } from '../core/access/index.js';
import { ID, oneOf } from '../core/database/index.js';

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

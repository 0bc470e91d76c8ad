import { Check, Column, Entity, Index } from 'typeorm';

import { APPROVAL_POLICIES, type ApprovalPolicy } from '../core/access/index.js';
import { AttributedEntity, CREATED, oneOf } from '../core/database/index.js';

/** Where runs happen: values of secrets, and policies. */
@Entity('environments')
@Index('environments_default', ['workspaceId'], { unique: true, where: 'is_default AND deleted_at IS NULL' })
@Index('environments_list', ['workspaceId', 'id'], { where: 'deleted_at IS NULL' })
@Index('environments_name_key', ['workspaceId', 'name'], { unique: true, where: 'deleted_at IS NULL' })
@Check('environments_approval_policy_check', oneOf('approval_policy', APPROVAL_POLICIES))
export class Environment extends AttributedEntity {
  @Column('text')
  name!: string;

  /** Which runs a person must approve first. */
  @Column('text')
  approvalPolicy!: ApprovalPolicy;

  /** Whether agents may run or schedule scripts here. */
  @Column('boolean')
  agentsAllowed!: boolean;

  /** The tags that a worker must carry, whatever a version says; empty: as the version says. */
  @Column('text', { array: true, default: () => "'{}'" })
  runsOn!: string[];

  /** Where a request that names no environment acts. */
  @Column('boolean')
  isDefault!: boolean;

  @Column(CREATED)
  updatedAt!: Date;

  @Column('timestamptz', { nullable: true })
  deletedAt!: Date | null;
}

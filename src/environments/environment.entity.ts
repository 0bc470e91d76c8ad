import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

import type { ApprovalPolicy } from '../core/access/caller.js';
import { CREATED, ID, oneOf } from '../core/database/entity-columns.js';

/** Where runs happen: values of secrets, and policies. */
@Entity('environments')
@Index('environments_default', ['workspaceId'], { unique: true, where: 'is_default AND deleted_at IS NULL' })
@Index('environments_list', ['workspaceId', 'id'], { where: 'deleted_at IS NULL' })
@Index('environments_name_key', ['workspaceId', 'name'], { unique: true, where: 'deleted_at IS NULL' })
@Check('environments_approval_policy_check', oneOf('approval_policy', ['none', 'agents', 'always']))
export class Environment {
  @PrimaryColumn(ID)
  id!: string;

  @ForeignKey('Workspace')
  @Column(ID)
  workspaceId!: string;

  @Column('text')
  name!: string;

  @Column('text')
  approvalPolicy!: ApprovalPolicy;

  @Column('boolean')
  agentsAllowed!: boolean;

  @Column('boolean')
  isDefault!: boolean;

  @ForeignKey('User')
  @Column({ ...ID, nullable: true })
  createdByUserId!: string | null;

  @Column(CREATED)
  createdAt!: Date;

  @Column(CREATED)
  updatedAt!: Date;

  @Column('timestamptz', { nullable: true })
  deletedAt!: Date | null;
}

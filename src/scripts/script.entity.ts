import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';

import type { ApprovalPolicy } from '../core/access/caller.js';
import { CREATED, ID, oneOf } from '../core/database/entity-columns.js';
import { SCRIPT_STATUSES, type ScriptStatus } from './script.status.js';

/** A versioned program. */
@Entity('scripts')
@Index('scripts_by_status', ['workspaceId', 'status', 'id'])
@Index('scripts_by_tag', ['tags'], { type: 'gin' })
@Index('scripts_by_team', ['teamIds'], { type: 'gin', where: `access = 'teams'` })
@Index('scripts_list', ['workspaceId', 'id'])
@Unique('scripts_slug_key', ['workspaceId', 'slug'])
@Check('scripts_access_check', oneOf('access', ['workspace', 'teams']))
@Check('scripts_approval_policy_check', oneOf('approval_policy', ['none', 'agents', 'always']))
@Check('scripts_status_check', oneOf('status', SCRIPT_STATUSES))
export class Script {
  @PrimaryColumn(ID)
  id!: string;

  @ForeignKey('Workspace')
  @Column(ID)
  workspaceId!: string;

  @Column('text')
  slug!: string;

  @Column('text')
  name!: string;

  @Column('text', { default: '' })
  description!: string;

  @Column('text', { default: 'draft' })
  status!: ScriptStatus;

  @ForeignKey('User')
  @Column({ ...ID, nullable: true })
  ownerUserId!: string | null;

  @Column('integer', { nullable: true })
  publishedVersion!: number | null;

  @Column('text', { default: 'workspace' })
  access!: 'workspace' | 'teams';

  @Column({ ...ID, array: true, default: () => "'{}'" })
  teamIds!: string[];

  @Column('text', { default: 'none' })
  approvalPolicy!: ApprovalPolicy;

  @Column('text', { array: true, default: () => "'{}'" })
  tags!: string[];

  @Column('integer', { default: 0 })
  lastVersion!: number;

  @Column(CREATED)
  createdAt!: Date;

  @Column(CREATED)
  updatedAt!: Date;
}

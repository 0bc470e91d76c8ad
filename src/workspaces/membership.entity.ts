import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, Unique } from 'typeorm';

import type { User } from '../auth/index.js';
import type { Role } from '../core/access/index.js';
import { CREATED, ID, oneOf } from '../core/database/index.js';
import type { Workspace } from './workspace.entity.js';

/** A person in a workspace, with their role. */
@Entity('memberships')
@Index('memberships_list', ['workspaceId', 'id'])
@Index('memberships_owners', ['workspaceId'], { where: `role = 'owner'` })
@Unique('memberships_person_key', ['userId', 'workspaceId'])
@Check('memberships_role_check', oneOf('role', ['owner', 'admin', 'member', 'guest']))
export class Membership {
  @PrimaryColumn(ID)
  id!: string;

  @Column(ID)
  workspaceId!: string;

  @ManyToOne('Workspace')
  @JoinColumn({ name: 'workspace_id' })
  workspace?: Workspace;

  @Column(ID)
  userId!: string;

  @ManyToOne('User')
  @JoinColumn({ name: 'user_id' })
  user?: User;

  @Column('text')
  role!: Role;

  /** Of an owner: they made the workspace, accepted to own it, or said so. Otherwise it does not count for them. */
  @Column('boolean', { default: true })
  acceptsOwnership!: boolean;

  @Column(CREATED)
  joinedAt!: Date;
}

import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';

import type { Role } from '../../core/access/index.js';
import { CREATED, ID, oneOf } from '../../core/database/index.js';

/** A person in a workspace, with their role. */
@Entity('memberships')
@Index('memberships_list', ['workspaceId', 'id'])
@Index('memberships_owners', ['workspaceId'], { where: `role = 'owner'` })
@Unique('memberships_person_key', ['userId', 'workspaceId'])
@Check('memberships_role_check', oneOf('role', ['owner', 'admin', 'member', 'guest']))
export class Membership {
  @PrimaryColumn(ID)
  id!: string;

  @ForeignKey('Workspace')
  @Column(ID)
  workspaceId!: string;

  @ForeignKey('User')
  @Column(ID)
  userId!: string;

  @Column('text')
  role!: Role;

  @Column(CREATED)
  joinedAt!: Date;
}

import { Entity, ForeignKey, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';

import { ID } from '../../core/database/index.js';
import type { ScimGroup } from './scim-group.entity.js';

/** A person in a group of a company's directory. */
@Entity('scim_group_members')
@Index('scim_group_members_person', ['userId', 'groupId'])
export class ScimGroupMember {
  @PrimaryColumn(ID)
  groupId!: string;

  @ManyToOne('ScimGroup', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'group_id' })
  group?: ScimGroup;

  @ForeignKey('ScimUser')
  @PrimaryColumn(ID)
  userId!: string;
}

import { Column, Entity, ForeignKey, Index, OneToMany, PrimaryColumn, Unique } from 'typeorm';

import { CREATED, ID } from '../../core/database/index.js';
import type { TeamMember } from './team-member.entity.js';

/** A group of people of a workspace, with whom scripts are shared. */
@Entity('teams')
@Index('teams_default', ['workspaceId'], { unique: true, where: 'is_default' })
@Index('teams_list', ['workspaceId', 'id'])
@Unique('teams_name_key', ['workspaceId', 'name'])
export class Team {
  @PrimaryColumn(ID)
  id!: string;

  @ForeignKey('Workspace')
  @Column(ID)
  workspaceId!: string;

  @Column('text')
  name!: string;

  /** True for the one team that everybody but guests belongs to. */
  @Column('boolean', { default: false })
  isDefault!: boolean;

  @Column(CREATED)
  createdAt!: Date;

  @OneToMany('TeamMember', 'team')
  members?: TeamMember[];
}

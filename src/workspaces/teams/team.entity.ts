import { Column, Entity, Index, OneToMany, Unique } from 'typeorm';

import { WorkspaceEntity } from '../../core/database/index.js';
import type { TeamMember } from './team-member.entity.js';

/** A group of people of a workspace, with whom scripts are shared. */
@Entity('teams')
@Index('teams_default', ['workspaceId'], { unique: true, where: 'is_default' })
@Index('teams_list', ['workspaceId', 'id'])
@Unique('teams_name_key', ['workspaceId', 'name'])
export class Team extends WorkspaceEntity {
  @Column('text')
  name!: string;

  /** True for the one team that everybody but guests belongs to. */
  @Column('boolean', { default: false })
  isDefault!: boolean;

  @OneToMany('TeamMember', 'team')
  members?: TeamMember[];
}

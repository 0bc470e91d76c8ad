import { Entity, ForeignKey, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';

import { ID } from '../../core/database/index.js';

/** A person in a team. */
@Entity('team_members')
@Index('team_members_person', ['userId', 'teamId'])
export class TeamMember {
  @PrimaryColumn(ID)
  teamId!: string;

  @ManyToOne('Team', 'members', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'team_id' })
  team?: object;

  @ForeignKey('User')
  @PrimaryColumn(ID)
  userId!: string;
}

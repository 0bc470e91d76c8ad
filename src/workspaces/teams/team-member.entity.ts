import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

import { ID } from '../../core/database/index.js';

/** A person in a team. */
@Entity('team_members')
@Index('team_members_person', ['userId', 'teamId'])
export class TeamMember {
  @ForeignKey('Team', { onDelete: 'CASCADE' })
  @PrimaryColumn(ID)
  teamId!: string;

  @ForeignKey('User')
  @PrimaryColumn(ID)
  userId!: string;
}

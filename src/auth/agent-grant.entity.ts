import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

import { CREATED, ID } from '../core/database/entity-columns.js';

/** What a person allowed an agent to do in one workspace. */
@Entity('agent_grants')
@Index('agent_grants_of_person', ['userId', 'workspaceId'], { where: 'revoked_at IS NULL' })
export class AgentGrant {
  @PrimaryColumn(ID)
  id!: string;

  @ForeignKey('User')
  @Column(ID)
  userId!: string;

  @ForeignKey('Workspace')
  @Column(ID)
  workspaceId!: string;

  @Column('text')
  appName!: string;

  @Column('text', { array: true })
  scopes!: string[];

  @Column('timestamptz', { nullable: true })
  revokedAt!: Date | null;

  @Column(CREATED)
  createdAt!: Date;
}

import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

import type { Scope } from '../core/access/scopes.js';
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

  /** The app's name, as the audit trail shows it. */
  @Column('text')
  appName!: string;

  @Column('text', { array: true })
  scopes!: Scope[];

  /** Set when the person leaves the workspace or it is deleted. The grant then opens nothing any more. */
  @Column('timestamptz', { nullable: true })
  revokedAt!: Date | null;

  @Column(CREATED)
  createdAt!: Date;
}

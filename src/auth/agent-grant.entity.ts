import { Column, Entity, ForeignKey, Index, JoinColumn, ManyToOne } from 'typeorm';

import type { Scope } from '../core/access/index.js';
import { CreatedEntity, ID } from '../core/database/index.js';

/** What a person allowed an agent to do in one workspace. */
@Entity('agent_grants')
@Index('agent_grants_list', ['userId', 'id'], { where: 'revoked_at IS NULL' })
export class AgentGrant extends CreatedEntity {
  @ForeignKey('User')
  @Column(ID)
  userId!: string;

  @Column(ID)
  workspaceId!: string;

  /** Its entity and that of the environment lie above this domain. */
  @ManyToOne('Workspace')
  @JoinColumn({ name: 'workspace_id' })
  workspace?: { slug: string; name: string };

  /** The app's name, as the audit trail shows it. */
  @Column('text')
  appName!: string;

  /** Under which the app is known to the authorization server: an `https:` URL where it describes itself there. */
  @Column('text')
  clientId!: string;

  /** Of the page that the app names as its own; nobody has checked it. */
  @Column('text', { nullable: true })
  clientUri!: string | null;

  /** The host to which the person's browser brought the code; null where a device asked. */
  @Column('text', { nullable: true })
  redirectHost!: string | null;

  /** The only environment in which it acts; null for all. */
  @Column({ ...ID, nullable: true })
  environmentId!: string | null;

  @ManyToOne('Environment')
  @JoinColumn({ name: 'environment_id' })
  environment?: { name: string } | null;

  @Column('text', { array: true })
  scopes!: Scope[];

  /** The ids of the only scripts that there are for it; null where the person did not choose by name. With both null, all. */
  @Column({ ...ID, array: true, nullable: true })
  scriptIds!: string[] | null;

  /** Scripts with one of these tags are there for it, too; null where the person did not choose by tag. */
  @Column('text', { array: true, nullable: true })
  scriptTags!: string[] | null;

  /** What may be used through it; null: whatever else allows. In words of `usage`, which lies above this domain. */
  @Column('json', { nullable: true })
  budget!: object | null;

  /** Within a quarter of a minute. */
  @Column('timestamptz', { nullable: true })
  lastUsedAt!: Date | null;

  /** When the last of its tokens ends; each new token moves it on. null: not before it is revoked. */
  @Column('timestamptz', { nullable: true })
  expiresAt!: Date | null;

  /** Set when somebody disconnects the app, the person leaves the workspace or it is deleted. It then opens nothing any more. */
  @Column('timestamptz', { nullable: true })
  revokedAt!: Date | null;
}

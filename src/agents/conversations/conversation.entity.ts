import { Column, Entity, ForeignKey, Index } from 'typeorm';

import { CREATED, ID, WorkspaceEntity } from '../../core/database/index.js';

/** What somebody and an agent have said to each other, kept for the one who said it. */
@Entity('agent_conversations')
@Index('agent_conversations_age', ['updatedAt'])
@Index('agent_conversations_list', ['agentId', 'id'])
@Index('agent_conversations_owner', ['workspaceId', 'userId'])
export class AgentConversation extends WorkspaceEntity {
  @ForeignKey('Agent', { onDelete: 'CASCADE' })
  @Column(ID)
  agentId!: string;

  /** Where its runs are started. */
  @Column(ID)
  environmentId!: string;

  /** Whose it is; null for an API key's. */
  @ForeignKey('User')
  @Column({ ...ID, nullable: true })
  userId!: string | null;

  /** The API key or the app's grant that made it, and that alone sees it. null: the person made it themselves. */
  @Column({ ...ID, nullable: true })
  credentialId!: string | null;

  /** How its first message begins; empty before. */
  @Column('text', { default: '' })
  title!: string;

  /** How many turns have begun. Each write of a turn names its own: a later one ends what an earlier one may write. */
  @Column('integer', { default: 0 })
  turn!: number;

  /** Until when the agent answers at the latest; null: it does not. */
  @Column('timestamptz', { nullable: true })
  turnUntil!: Date | null;

  /** The process in which it answers. */
  @Column({ ...ID, nullable: true })
  workerId!: string | null;

  @Column('integer', { default: 0 })
  entries!: number;

  /** Of its texts, so that it has an end. */
  @Column('integer', { default: 0 })
  bytes!: number;

  @Column(CREATED)
  updatedAt!: Date;
}

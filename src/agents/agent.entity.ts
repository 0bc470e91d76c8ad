import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';

import { CREATED, ID } from '../core/database/index.js';

/** A language model with instructions that answers people and runs some of the workspace's scripts for them. */
@Entity('agents')
@Index('agents_list', ['workspaceId', 'id'])
@Unique('agents_slug_key', ['workspaceId', 'slug'])
export class Agent {
  @PrimaryColumn(ID)
  id!: string;

  @ForeignKey('Workspace')
  @Column(ID)
  workspaceId!: string;

  /** It never changes. */
  @Column('text')
  slug!: string;

  @Column('text')
  name!: string;

  @Column('text', { default: '' })
  instructions!: string;

  /** null: the one that the operator set for all. */
  @Column('text', { nullable: true })
  model!: string | null;

  /** The slugs of the scripts that it may run, which never change; what the caller may run besides decides at each message. */
  @Column('text', { array: true, default: () => "'{}'" })
  scripts!: string[];

  @Column('boolean', { default: true })
  enabled!: boolean;

  /** null where an API key made it. */
  @ForeignKey('User')
  @Column({ ...ID, nullable: true })
  createdByUserId!: string | null;

  @Column(CREATED)
  createdAt!: Date;

  @Column(CREATED)
  updatedAt!: Date;
}

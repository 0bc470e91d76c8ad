import { Column, Entity, Index, Unique } from 'typeorm';

import { AttributedEntity, CREATED } from '../core/database/index.js';

/** A language model with instructions that answers people and runs some of the workspace's scripts for them. */
@Entity('agents')
@Index('agents_list', ['workspaceId', 'id'])
@Unique('agents_slug_key', ['workspaceId', 'slug'])
export class Agent extends AttributedEntity {
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

  @Column(CREATED)
  updatedAt!: Date;
}

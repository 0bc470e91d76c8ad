import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

import { CREATED, ID } from '../core/database/entity-columns.js';

/** The wall between tenants. */
@Entity('workspaces')
@Index('workspaces_slug_key', ['slug'], { unique: true, where: 'deleted_at IS NULL' })
export class Workspace {
  @PrimaryColumn(ID)
  id!: string;

  /** What `x-workspace` names. Free again once the workspace is deleted. */
  @Column('text')
  slug!: string;

  @Column('text')
  name!: string;

  /** Whether nobody may publish a script version that they made themselves. */
  @Column('boolean', { default: false })
  publishNeedsSecondPerson!: boolean;

  @Column(CREATED)
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  deletedAt!: Date | null;

  /** A name in `GATEHOUSE_PLANS`. */
  @Column('text', { default: 'default' })
  plan!: string;
}

import { Column, Entity, ForeignKey, Index } from 'typeorm';

import { CreatedEntity, ID } from '../core/database/index.js';

/** The wall between tenants. */
@Entity('workspaces')
@Index('workspaces_slug_key', ['slug'], { unique: true, where: 'deleted_at IS NULL' })
@Index('workspaces_owner', ['ownerUserId'], { where: 'deleted_at IS NULL' })
export class Workspace extends CreatedEntity {
  /** What `x-workspace` names. Free again once the workspace is deleted. */
  @Column('text')
  slug!: string;

  @Column('text')
  name!: string;

  /** Whether nobody may publish a script version that they made themselves. */
  @Column('boolean', { default: false })
  publishNeedsSecondPerson!: boolean;

  /**
   * Of its owners, the one who has been a member for longest: whom its share of workers counts for. null: it has none.
   * Written by `MembersRepository.settleOwner`.
   */
  @ForeignKey('User')
  @Column({ ...ID, nullable: true })
  ownerUserId!: string | null;

  @Column('timestamptz', { nullable: true })
  deletedAt!: Date | null;

  /** A name in `GATEHOUSE_PLANS`. */
  @Column('text', { default: 'default' })
  plan!: string;
}

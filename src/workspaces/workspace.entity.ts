import { Column, Entity, ForeignKey, Index } from 'typeorm';

import { CreatedEntity, ID } from '../core/database/index.js';
import type { AgentBudget } from '../usage/index.js';

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

  /** Whether people with a password need a second factor in it. */
  @Column('boolean', { default: false })
  secondFactorRequired!: boolean;

  /** Within how many minutes before they approve or change secrets people confirm that it is them; null: they need not. */
  @Column('integer', { nullable: true })
  stepUpMinutes!: number | null;

  /**
   * Of the owners who accepted it, the one who has been a member for longest: whom its share of workers counts for. It goes on
   * to count for whoever left, until another owner accepts. null: it has none.
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

  /** What each member's agents may use together; null: whatever else allows. */
  @Column('json', { nullable: true })
  memberBudget!: AgentBudget | null;
}

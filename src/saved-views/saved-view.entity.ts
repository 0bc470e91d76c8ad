import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';

import { AttributedEntity, CREATED, ID } from '../core/database/index.js';

/** Lists that views are of. */
export const VIEWED_LISTS = ['runs'] as const;
export type ViewedList = (typeof VIEWED_LISTS)[number];

/** What a list is filtered by, under a name. */
@Entity('saved_views')
@Index('saved_views_list', ['workspaceId', 'id'])
@Check('saved_views_list_check', `list IN ('runs')`)
export class SavedView extends AttributedEntity {
  @Column('text')
  list!: ViewedList;

  @Column('text')
  name!: string;

  /** As it stands in the console's address. */
  @Column('text')
  search!: string;

  /** Whom it is for; null: everyone in the workspace. */
  @ForeignKey('User')
  @Column({ ...ID, nullable: true })
  userId!: string | null;

  @Column(CREATED)
  updatedAt!: Date;
}

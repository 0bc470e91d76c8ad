import { Column, Entity, Index } from 'typeorm';

import { CREATED, CreatedEntity, ID } from '../../core/database/index.js';

/** Requests that a channel is still to tell people of. What they say is read when it does. */
@Entity('approval_notices')
@Index('approval_notices_due', ['channel', 'dueAt'])
@Index('approval_notices_created', ['createdAt'])
export class ApprovalNotice extends CreatedEntity {
  /** The name of a channel. No process has it any more where its extension was taken away. */
  @Column('text')
  channel!: string;

  /** null: of a version before. */
  @Column({ ...ID, nullable: true })
  workspaceId!: string | null;

  /** What it is told with: the first of those that were taken at the same time. */
  @Column({ ...ID, nullable: true })
  noticeId!: string | null;

  /** All of one workspace. */
  @Column({ ...ID, array: true })
  requestIds!: string[];

  /** Those of them that nobody may decide who asked. */
  @Column({ ...ID, array: true })
  secondPersonIds!: string[];

  @Column('integer', { default: 0 })
  attempts!: number;

  @Column(CREATED)
  dueAt!: Date;
}

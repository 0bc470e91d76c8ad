import { Column, Entity, PrimaryColumn } from 'typeorm';

import { ID } from '../../core/database/index.js';

/** How often a channel has told of a workspace lately. */
@Entity('approval_notice_turns')
export class ApprovalNoticeTurn {
  @PrimaryColumn(ID)
  workspaceId!: string;

  @PrimaryColumn('text')
  channel!: string;

  /** When all of what it has told were a minute apart. */
  @Column('timestamptz')
  nextAt!: Date;
}

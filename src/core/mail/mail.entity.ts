import { Column, Entity, Index } from 'typeorm';

import { CREATED, CreatedEntity, ID } from '../database/index.js';

/** A mail that is still to be sent, sealed with the master key. */
@Entity('mails')
@Index('mails_due', ['dueAt'])
@Index('mails_of_accounts', ['dueAt'], { where: 'workspace_id IS NULL' })
@Index('mails_of_workspaces', ['workspaceId', 'id'], { where: 'workspace_id IS NOT NULL' })
export class Mail extends CreatedEntity {
  @Column('bytea')
  message!: Buffer;

  /** The workspace that it is about; null: somebody's account. */
  @Column({ ...ID, nullable: true })
  workspaceId!: string | null;

  @Column('integer', { default: 0 })
  attempts!: number;

  @Column(CREATED)
  dueAt!: Date;
}

import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

import { CREATED, ID, oneOf } from '../core/database/entity-columns.js';

/** A file that somebody uploaded or that a run left. */
@Entity('files')
@Index('files_by_blob', ['blobKey'])
@Index('files_by_environment', ['environmentId', 'id'])
@Index('files_by_person', ['workspaceId', 'createdByUserId', 'id'], {
  where: 'created_by_user_id IS NOT NULL',
})
@Index('files_by_run', ['runId', 'id'], { where: 'run_id IS NOT NULL' })
@Index('files_expiry', ['expiresAt'])
@Index('files_list', ['workspaceId', 'id'])
@Check('files_direction_check', oneOf('direction', ['in', 'out']))
export class StoredFile {
  @PrimaryColumn(ID)
  id!: string;

  @Column(ID)
  workspaceId!: string;

  @Column(ID)
  environmentId!: string;

  @Column('text')
  direction!: 'in' | 'out';

  @Column('text')
  name!: string;

  @Column('text')
  type!: string;

  @Column('bigint')
  size!: number;

  @Column('text')
  sha256!: string;

  @ForeignKey('FileBlob')
  @Column(ID)
  blobKey!: string;

  @ForeignKey('Run', { onDelete: 'CASCADE' })
  @Column({ ...ID, nullable: true })
  runId!: string | null;

  @Column('text', { nullable: true })
  field!: string | null;

  @Column('integer', { nullable: true })
  position!: number | null;

  @Column({ ...ID, nullable: true })
  createdByUserId!: string | null;

  @Column({ ...ID, nullable: true })
  credentialId!: string | null;

  @Column('text', { nullable: true })
  credentialName!: string | null;

  @Column(CREATED)
  createdAt!: Date;

  @Column('timestamptz')
  expiresAt!: Date;
}

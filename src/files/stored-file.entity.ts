import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';

import { CreatedEntity, ID, oneOf } from '../core/database/index.js';

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
export class StoredFile extends CreatedEntity {
  @Column(ID)
  workspaceId!: string;

  @Column(ID)
  environmentId!: string;

  /** `in`: uploaded, or given to a run. `out`: written by one. */
  @Column('text')
  direction!: 'in' | 'out';

  /** For a file that a run wrote: its path in /outputs. */
  @Column('text')
  name!: string;

  /** The media type. */
  @Column('text')
  type!: string;

  /** In bytes. */
  @Column('bigint')
  size!: number;

  /** In hex. */
  @Column('text')
  sha256!: string;

  /** Several files may share the bytes. */
  @ForeignKey('FileBlob')
  @Column(ID)
  blobKey!: string;

  /** null for an upload that no run has used yet. */
  @ForeignKey('Run', { onDelete: 'CASCADE' })
  @Column({ ...ID, nullable: true })
  runId!: string | null;

  /** The input that it was given as. */
  @Column('text', { nullable: true })
  field!: string | null;

  /** Its place among all files of the run's inputs, in the order in which they were given. */
  @Column('integer', { nullable: true })
  position!: number | null;

  /** Who uploaded it, or started the run that it belongs to; null for an API key. */
  @Column({ ...ID, nullable: true })
  createdByUserId!: string | null;

  @Column({ ...ID, nullable: true })
  credentialId!: string | null;

  /** The key's or agent's name; of an upload only where no person acts. */
  @Column('text', { nullable: true })
  credentialName!: string | null;

  @Column('timestamptz')
  expiresAt!: Date;
}

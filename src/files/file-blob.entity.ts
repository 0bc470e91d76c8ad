import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

import { ID } from '../core/database/index.js';

/** A key under which bytes of files may be stored, and when to look whether a file still refers to it. */
@Entity('file_blobs')
@Index('file_blobs_due', ['checkAt'])
export class FileBlob {
  @PrimaryColumn(ID)
  key!: string;

  /** Written down before the bytes are, so that bytes whose file is never recorded are found and deleted. */
  @Column('timestamptz')
  checkAt!: Date;
}

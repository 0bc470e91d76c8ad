import { Column, Entity, Index } from 'typeorm';

import { CreatedEntity, ID } from '../core/database/index.js';

/** An address to which one file is sent once, in the name of whoever asked for it. The row goes with its use. */
@Entity('upload_addresses')
@Index('upload_addresses_of_credential', ['credentialId'])
@Index('upload_addresses_expiry', ['expiresAt'])
export class UploadAddress extends CreatedEntity {
  @Column('bytea')
  tokenHash!: Buffer;

  @Column(ID)
  workspaceId!: string;

  /** As they were called when the address was made: whatever has their names later is another place. */
  @Column('text')
  workspaceSlug!: string;

  @Column(ID)
  environmentId!: string;

  @Column('text')
  environmentName!: string;

  @Column(ID)
  credentialId!: string;

  /** With the hash of the credential, by what its holder is judged once more. */
  @Column('text')
  credentialStrategy!: string;

  @Column('bytea')
  credentialHash!: Buffer;

  @Column('text')
  name!: string;

  @Column('integer')
  maxBytes!: number;

  @Column('timestamptz')
  expiresAt!: Date;
}

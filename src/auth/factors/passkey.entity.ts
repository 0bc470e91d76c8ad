import { Column, Entity, ForeignKey, Index, Unique } from 'typeorm';

import { CreatedEntity, ID } from '../../core/database/index.js';

/** A key pair on a person's device, which unlocks it by a finger, a face or a PIN. The service knows the public half. */
@Entity('passkeys')
@Index('passkeys_person', ['userId', 'id'])
@Unique('passkeys_credential_key', ['credentialId'])
export class Passkey extends CreatedEntity {
  @ForeignKey('User')
  @Column(ID)
  userId!: string;

  @Column('text')
  name!: string;

  /** What the device calls it. */
  @Column('bytea')
  credentialId!: Buffer;

  /** As COSE has it. */
  @Column('bytea')
  publicKey!: Buffer;

  /** How often the device says it has signed: a copy of the key gives itself away by one that goes back. 0: it does not count. */
  @Column('bigint')
  signCount!: number;

  /** How a browser reaches the device, such as `usb` or `internal`. */
  @Column('text', { array: true })
  transports!: string[];

  @Column('timestamptz', { nullable: true })
  lastUsedAt!: Date | null;
}

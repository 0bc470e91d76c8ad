import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

import { CREATED, ID } from '../core/database/entity-columns.js';

/** The value of a secret in one environment, sealed with the key of its workspace. */
@Entity('secret_values')
@Index('secret_values_environment', ['environmentId', 'secretId'])
export class SecretValue {
  @ForeignKey('Secret', { onDelete: 'CASCADE' })
  @PrimaryColumn(ID)
  secretId!: string;

  @ForeignKey('Environment')
  @PrimaryColumn(ID)
  environmentId!: string;

  /** Bound to its secret, environment and hosts: see `placeOf`. */
  @Column('bytea')
  sealed!: Buffer;

  /** The only hosts that the value may go to, in their one form. */
  @Column('text', { array: true })
  hosts!: string[];

  /** null where an API key set it. */
  @ForeignKey('User')
  @Column({ ...ID, nullable: true })
  createdByUserId!: string | null;

  @Column(CREATED)
  updatedAt!: Date;

  /** When a run last used it, within half a minute. */
  @Column('timestamptz', { nullable: true })
  lastUsedAt!: Date | null;
}

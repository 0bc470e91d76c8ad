import { Check, Column, Entity, ForeignKey, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';

import { CREATED, ID } from '../core/database/index.js';
import type { Environment } from '../environments/index.js';

/** The value of a secret in one environment, or where it is read from, sealed with the key of its workspace. */
@Entity('secret_values')
@Index('secret_values_environment', ['environmentId', 'secretId'])
@Check('secret_values_source_check', '(source IS NULL) = (reference IS NULL)')
export class SecretValue {
  @PrimaryColumn(ID)
  secretId!: string;

  @ManyToOne('Secret', 'values', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'secret_id' })
  secret?: object;

  @PrimaryColumn(ID)
  environmentId!: string;

  @ManyToOne('Environment')
  @JoinColumn({ name: 'environment_id' })
  environment?: Environment;

  /** The value, or the reference of a source. Bound to its secret, environment, hosts and source: see `placeOf`. */
  @Column('bytea')
  sealed!: Buffer;

  /** The only hosts that the value may go to, in their one form. */
  @Column('text', { array: true })
  hosts!: string[];

  /** The name of the source that the value is read from; null: it is stored here. */
  @Column('text', { nullable: true })
  source!: string | null;

  /** To be shown: what is read is what the sealed reference says. */
  @Column('text', { nullable: true })
  reference!: string | null;

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

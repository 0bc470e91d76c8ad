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

  @Column('bytea')
  sealed!: Buffer;

  @Column('text', { array: true })
  hosts!: string[];

  @ForeignKey('User')
  @Column({ ...ID, nullable: true })
  createdByUserId!: string | null;

  @Column(CREATED)
  updatedAt!: Date;

  @Column('timestamptz', { nullable: true })
  lastUsedAt!: Date | null;
}

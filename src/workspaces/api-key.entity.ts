import { Column, Entity, Index, JoinColumn, ManyToOne, Unique } from 'typeorm';

import { AttributedEntity, ID } from '../core/database/index.js';
import type { Environment } from '../environments/index.js';

/** A key of a workspace, or of one of its environments. Only its hash is kept. Whoever it says made it is who holds it. */
@Entity('api_keys')
@Index('api_keys_environment', ['environmentId'], { where: 'revoked_at IS NULL' })
@Index('api_keys_list', ['workspaceId', 'id'], { where: 'revoked_at IS NULL' })
@Unique('api_keys_hash_key', ['hash'])
export class ApiKey extends AttributedEntity {
  /** The only environment in which it acts; null for all. */
  @Column({ ...ID, nullable: true })
  environmentId!: string | null;

  @ManyToOne('Environment')
  @JoinColumn({ name: 'environment_id' })
  environment?: Environment | null;

  @Column('text')
  name!: string;

  @Column('bytea')
  hash!: Buffer;

  /** The last four characters, by which people recognise it. */
  @Column('text')
  last4!: string;

  /** Within a quarter of a minute. */
  @Column('timestamptz', { nullable: true })
  lastUsedAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  revokedAt!: Date | null;
}

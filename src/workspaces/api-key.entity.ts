import { Column, Entity, ForeignKey, Index, JoinColumn, ManyToOne, Unique } from 'typeorm';

import { TokenEntity } from '../auth/index.js';
import type { Scope } from '../core/access/index.js';
import { ID } from '../core/database/index.js';
import type { Environment } from '../environments/index.js';

/** A key of a workspace, or of one of its environments. Whoever it says made it is who holds it. */
@Entity('api_keys')
@Index('api_keys_environment', ['environmentId'], { where: 'revoked_at IS NULL' })
@Index('api_keys_ending', ['expiresAt'], {
  where: 'revoked_at IS NULL AND expiry_told_at IS NULL AND expires_at IS NOT NULL',
})
@Index('api_keys_list', ['workspaceId', 'id'], { where: 'revoked_at IS NULL' })
@Unique('api_keys_hash_key', ['hash'])
export class ApiKey extends TokenEntity {
  @ForeignKey('Workspace')
  @Column(ID)
  workspaceId!: string;

  /** null where an API key made it, or the system. */
  @ForeignKey('User')
  @Column({ ...ID, nullable: true })
  createdByUserId!: string | null;

  /** The only environment in which it acts; null for all. */
  @Column({ ...ID, nullable: true })
  environmentId!: string | null;

  @ManyToOne('Environment')
  @JoinColumn({ name: 'environment_id' })
  environment?: Environment | null;

  /** null: all that an admin may, except `mcp`. */
  @Column('text', { array: true, nullable: true })
  scopes!: Scope[] | null;
}

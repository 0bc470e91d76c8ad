import { Column, Entity, ForeignKey, Index, Unique } from 'typeorm';

import { CreatedEntity, ID } from '../core/database/index.js';

/** A token with which a person calls the API. Only its hash is kept. */
@Entity('personal_tokens')
@Index('personal_tokens_list', ['userId', 'id'], { where: 'revoked_at IS NULL' })
@Unique('personal_tokens_hash_key', ['hash'])
export class PersonalToken extends CreatedEntity {
  @ForeignKey('User')
  @Column(ID)
  userId!: string;

  @Column('text')
  name!: string;

  @Column('text', { array: true })
  scopes!: string[];

  /** The only workspaces in which it may act; null for all that the person is in. */
  @Column('text', { array: true, nullable: true })
  workspaceIds!: string[] | null;

  @Column('bytea')
  hash!: Buffer;

  /** The last four characters, by which people recognise it. */
  @Column('text')
  last4!: string;

  /** null: never. */
  @Column('timestamptz', { nullable: true })
  expiresAt!: Date | null;

  /** Within a quarter of a minute. */
  @Column('timestamptz', { nullable: true })
  lastUsedAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  revokedAt!: Date | null;
}

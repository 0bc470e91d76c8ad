import { Column, Entity, ForeignKey, Index, Unique } from 'typeorm';

import { ID } from '../core/database/index.js';
import { TokenEntity } from './token.entity.js';

/** A token with which a person calls the API. */
@Entity('personal_tokens')
@Index('personal_tokens_ending', ['expiresAt'], {
  where: 'revoked_at IS NULL AND expiry_told_at IS NULL AND expires_at IS NOT NULL',
})
@Index('personal_tokens_list', ['userId', 'id'], { where: 'revoked_at IS NULL' })
@Unique('personal_tokens_hash_key', ['hash'])
export class PersonalToken extends TokenEntity {
  @ForeignKey('User')
  @Column(ID)
  userId!: string;

  @Column('text', { array: true })
  scopes!: string[];

  /** The only workspaces in which it may act; null for all that the person is in. */
  @Column('text', { array: true, nullable: true })
  workspaceIds!: string[] | null;
}

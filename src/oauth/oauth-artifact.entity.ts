import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';

import { ID } from '../core/database/index.js';

/** What the authorization server remembers between two requests: codes, refresh tokens, open consents, registered apps. */
@Entity('oauth_artifacts')
@Index('oauth_artifacts_expiry', ['expiresAt'])
@Index('oauth_artifacts_grant', ['grantId'], { where: 'grant_id IS NOT NULL' })
@Unique('oauth_artifacts_user_code', ['userCodeHash'])
export class OAuthArtifact {
  @PrimaryColumn('text')
  kind!: string;

  /** Of the code, token or id, which itself is stored only within the sealed payload. */
  @PrimaryColumn('bytea')
  hash!: Buffer;

  /** JSON, sealed by the master key. */
  @Column('bytea')
  payload!: Buffer;

  @ForeignKey('AgentGrant', { onDelete: 'CASCADE' })
  @Column({ ...ID, nullable: true })
  grantId!: string | null;

  /** Of the code that a person types in for a device. */
  @Column('bytea', { nullable: true })
  userCodeHash!: Buffer | null;

  /** When it was used, for what may be used once. */
  @Column('timestamptz', { nullable: true })
  consumedAt!: Date | null;

  @Column('timestamptz')
  expiresAt!: Date;
}

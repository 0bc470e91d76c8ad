import { Column } from 'typeorm';

import { CreatedEntity } from '../core/database/index.js';

/** What personal tokens and API keys have in common. Only their hash is kept. */
export abstract class TokenEntity extends CreatedEntity {
  @Column('text')
  name!: string;

  @Column('bytea')
  hash!: Buffer;

  /** The last four characters, by which people recognise it. */
  @Column('text')
  last4!: string;

  /** null: never. */
  @Column('timestamptz', { nullable: true })
  expiresAt!: Date | null;

  /** When somebody was told that it ends soon. */
  @Column('timestamptz', { nullable: true })
  expiryToldAt!: Date | null;

  /** Within a minute and a quarter. */
  @Column('timestamptz', { nullable: true })
  lastUsedAt!: Date | null;

  /** From where, at that time. */
  @Column('text', { nullable: true })
  lastUsedAddress!: string | null;

  @Column('timestamptz', { nullable: true })
  revokedAt!: Date | null;
}

/** What a new one does not have yet. */
export type LaterOfToken = 'createdAt' | 'expiryToldAt' | 'lastUsedAt' | 'lastUsedAddress' | 'revokedAt';

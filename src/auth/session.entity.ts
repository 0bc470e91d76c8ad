import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

import { CREATED, ID } from '../core/database/index.js';

/** A signed-in browser. Only the hash of its token is kept. */
@Entity('sessions')
@Index('sessions_expiry', ['expiresAt'])
@Index('sessions_id', ['id'], { unique: true })
@Index('sessions_person', ['userId', 'id'])
export class Session {
  @PrimaryColumn('bytea')
  hash!: Buffer;

  @ForeignKey('User')
  @Column(ID)
  userId!: string;

  @Column(CREATED)
  createdAt!: Date;

  @Column('timestamptz')
  expiresAt!: Date;

  /** What the API calls it by; the token itself is known to the browser alone. */
  @Column(ID)
  id!: string;

  /** From where it was last used. */
  @Column('text', { nullable: true })
  address!: string | null;

  /** Of the browser that signed in. */
  @Column('text', { nullable: true })
  userAgent!: string | null;

  /** Within a quarter of a minute. */
  @Column(CREATED)
  lastUsedAt!: Date;

  /** When the person last made sure that it is them: by their password, a code or a passkey. */
  @Column(CREATED)
  confirmedAt!: Date;

  /** A provider said who it is, and asked for whatever factors it wants. */
  @Column('boolean', { default: false })
  provided!: boolean;
}

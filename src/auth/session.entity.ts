import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

import { CREATED, ID } from '../core/database/entity-columns.js';

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

  @Column(ID)
  id!: string;

  @Column('text', { nullable: true })
  address!: string | null;

  @Column('text', { nullable: true })
  userAgent!: string | null;

  @Column(CREATED)
  lastUsedAt!: Date;

  @Column(CREATED)
  confirmedAt!: Date;
}

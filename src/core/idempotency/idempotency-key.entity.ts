import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

import { CREATED, ID, oneOf } from '../database/index.js';

/** A client's name for one write, and the response that it got. */
@Entity('idempotency_keys')
@Index('idempotency_keys_age', ['createdAt'])
@Index('idempotency_keys_held', ['instanceId'], { where: `state = 'started'` })
@Check('idempotency_keys_state_check', oneOf('state', ['started', 'committed', 'responded']))
export class IdempotencyKey {
  @PrimaryColumn(ID)
  credentialId!: string;

  @PrimaryColumn('text')
  key!: string;

  @Column('bytea')
  fingerprint!: Buffer;

  @Column('text')
  state!: 'started' | 'committed' | 'responded';

  @Column(ID)
  instanceId!: string;

  @Column('text', { nullable: true })
  resourceKind!: string | null;

  @Column({ ...ID, nullable: true })
  resourceId!: string | null;

  @Column('integer', { nullable: true })
  status!: number | null;

  @Column('jsonb', { nullable: true })
  headers!: unknown;

  @Column('bytea', { nullable: true })
  body!: Buffer | null;

  @Column(CREATED)
  createdAt!: Date;

  @Column('text', { default: '' })
  holder!: string;
}

import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';

import { ID } from '../core/database/index.js';

/** A rotated secret of an endpoint, which signs beside the new one for a day. */
@Entity('webhook_earlier_secrets')
@Index('webhook_earlier_secrets_endpoint', ['endpointId', 'id'])
export class WebhookEarlierSecret {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: number;

  @ForeignKey('WebhookEndpoint', { onDelete: 'CASCADE' })
  @Column(ID)
  endpointId!: string;

  @Column('bytea')
  sealedSecret!: Buffer;

  @Column('timestamptz')
  signsUntil!: Date;
}

import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

import { CREATED, ID } from '../core/database/entity-columns.js';

/** An address that a workspace registered for its events. */
@Entity('webhook_endpoints')
@Index('webhook_endpoints_environment', ['environmentId', 'id'])
@Index('webhook_endpoints_list', ['workspaceId', 'id'])
export class WebhookEndpoint {
  @PrimaryColumn(ID)
  id!: string;

  @ForeignKey('Workspace')
  @Column(ID)
  workspaceId!: string;

  @ForeignKey('Environment')
  @Column(ID)
  environmentId!: string;

  @Column('text')
  url!: string;

  @Column('text', { nullable: true })
  description!: string | null;

  @Column('text', { array: true, nullable: true })
  eventTypes!: string[] | null;

  @Column('boolean', { default: true })
  enabled!: boolean;

  @Column('bytea')
  sealedSecret!: Buffer;

  @Column('integer', { default: 0 })
  consecutiveFailures!: number;

  @Column('integer', { nullable: true })
  lastStatus!: number | null;

  @Column('timestamptz', { nullable: true })
  lastAttemptAt!: Date | null;

  @ForeignKey('User')
  @Column({ ...ID, nullable: true })
  createdByUserId!: string | null;

  @Column(CREATED)
  createdAt!: Date;

  @Column({ ...ID, nullable: true })
  workerId!: string | null;

  @Column('timestamptz', { nullable: true })
  leaseUntil!: Date | null;
}
